// Runs a fuzz target on files, without a fuzzer: replay FOLDER_OR_FILE ...
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void replay(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
    std::cerr << path.filename().string() << '\n';  // the last one is the one that crashed
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
}

std::size_t replay_all(const fs::path& path) {
    if (!fs::is_directory(path)) return replay(path), 1;
    std::size_t n = 0;
    for (const auto& entry : fs::directory_iterator(path)) n += replay_all(entry.path());
    return n;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t n = 0;
    for (int k = 1; k < argc; ++k)
        if (fs::exists(argv[k])) n += replay_all(argv[k]);
    std::cout << n << " files\n";
    return n > 0 ? 0 : 1;
}
