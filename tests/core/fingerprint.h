// A fingerprint of all bits of some numbers (FNV-1a).
#pragma once

#include <cstdint>
#include <cstring>
#include <variant>
#include <vector>

constexpr std::uint64_t kNoFingerprint = 0xcbf29ce484222325ULL;  // of nothing; others go on from it

template <class T>
std::uint64_t fingerprint(const std::vector<T>& values, std::uint64_t hash) {
    std::vector<unsigned char> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
    return hash;
}

// Of words of either width, as if they were wide.
inline std::uint64_t fingerprint(
    const std::variant<std::vector<std::int16_t>, std::vector<std::int32_t>>& any, std::uint64_t hash) {
    return std::visit(
        [&](const auto& words) {
            return fingerprint(std::vector<std::int32_t>(words.begin(), words.end()), hash);
        },
        any);
}
