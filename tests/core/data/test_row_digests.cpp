#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/isa.h"
#include "core/data/row_digests.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

std::vector<std::uint64_t> digests_of(const Matrix& matrix, Isa isa) {
    std::vector<std::uint64_t> digests(static_cast<std::size_t>(matrix.n_rows));
    digest_rows(matrix, isa, digests);
    return digests;
}

// Calls test(isa) for each instruction set that this machine runs.
template <class Test>
void on_each_isa(const Test& test) {
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) test(static_cast<Isa>(isa));
}

// The vectors that the authors of SipHash published: messages 00 01 02 ... of 0, 8, 16, ... bytes, key 00 01
// .. 0f.
void test_published_vectors() {
    constexpr std::uint64_t kPublished[] = {0x726fdb47dd0e0e31, 0x93f5f5799a932462, 0x3f2acc7f57c29bdb,
                                            0xb8ad50c6f649af94, 0x7127512f72f27cce, 0x0e3ea96b5304a7d0,
                                            0xe612a3cb9ecba951, 0xb78dbfaf3a8d83bd};
    std::vector<double> message;
    for (std::int64_t n_words = 0; n_words < 8; ++n_words) {
        const Matrix one{Columns<double>{message.data(), n_words, 1}, 1, n_words};
        on_each_isa([&](Isa isa) { CHECK(digests_of(one, isa)[0] == kPublished[n_words]); });
        const auto first = static_cast<std::uint64_t>(8 * n_words) * 0x0101010101010101;
        message.push_back(std::bit_cast<double>(first + 0x0706050403020100));
    }
}

// Rows of a number type, dense, by column, in steps and backwards, have the digests of the same rows as
// doubles, each hashed by itself.
template <class T>
void test_layouts(std::int64_t n_rows, std::int64_t n_features) {
    const auto size = static_cast<std::size_t>(n_rows * n_features);
    const std::vector<T> x = whole_numbers<T>(3, size, 0, 99);
    std::vector<T> by_column(size), wide(2 * size);
    std::vector<double> doubles(x.begin(), x.end());
    std::vector<std::uint64_t> expected;
    for (std::int64_t row = 0; row < n_rows; ++row) {
        for (std::int64_t id = 0; id < n_features; ++id) {
            const T value = x[static_cast<std::size_t>(row * n_features + id)];
            by_column[static_cast<std::size_t>(id * n_rows + row)] = value;
            wide[static_cast<std::size_t>(2 * ((n_rows - 1 - row) * n_features + id))] = value;
        }
        const Columns<double> one{doubles.data() + row * n_features, n_features, 1};
        expected.push_back(digests_of({one, 1, n_features}, Isa::baseline)[0]);
    }
    const T* const last = wide.data() + 2 * (n_rows - 1) * n_features;
    const Columns<T> layouts[] = {
        {x.data(), n_features, 1}, {by_column.data(), 1, n_rows}, {last, -2 * n_features, 2}};
    for (const Columns<T>& columns : layouts)
        on_each_isa([&](Isa isa) { CHECK(digests_of({columns, n_rows, n_features}, isa) == expected); });
}

void test_every_number_type() {
    for (const auto& [n_rows, n_features] :
         {std::pair{1, 1}, {17, 1}, {1, 70}, {16, 64}, {45, 65}, {37, 130}}) {
        test_layouts<std::uint8_t>(n_rows, n_features);
        test_layouts<std::int16_t>(n_rows, n_features);
        test_layouts<std::int32_t>(n_rows, n_features);
        test_layouts<float>(n_rows, n_features);
        test_layouts<double>(n_rows, n_features);
    }
}

void test_values() {
    constexpr double kTiny = std::numeric_limits<double>::denorm_min();
    const auto digest_of = [](double value) {
        return digests_of(row_major<double>({value, 1.0}, 2), newest_isa())[0];
    };
    CHECK(digest_of(-0.0) == digest_of(0.0));
    CHECK(digest_of(kTiny) != digest_of(0.0) && digest_of(-kTiny) != digest_of(kTiny));
    CHECK(digest_of(2.5) != digest_of(std::nextafter(2.5, 3.0)));
    const std::vector<std::uint64_t> swapped = digests_of(row_major<double>({1, 2, 2, 1}, 2), newest_isa());
    CHECK(swapped[0] != swapped[1]);
    const std::vector<double> zeros(
        40, 0.0);  // of all widths, also those whose number of bytes is the same modulo 256
    const auto of_zeros = [&](std::int64_t width) {
        return digests_of({Columns<double>{zeros.data(), width, 1}, 1, width}, newest_isa())[0];
    };
    CHECK(of_zeros(1) != of_zeros(2) && of_zeros(1) != of_zeros(33));
    CHECK(digests_of({Columns<double>{zeros.data(), 3, 1}, 0, 3}, newest_isa()).empty());
}

}  // namespace

int main() {
    test_published_vectors();
    test_every_number_type();
    test_values();
}
