#include <limits>
#include <span>
#include <utility>

#include "core/base/parallel.h"
#include "core/data/row_digests.h"
#include "core/data/scan.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// One number replaces a whole one anywhere in a matrix of several blocks, read along either axis.
template <class T>
void test_one(T number, const Scan& expected) {
    constexpr std::int64_t kRows = 5000, kFeatures = 3;
    std::vector<T> x = whole_numbers<T>(1, kRows * kFeatures, 0, 9);
    Monitor monitor;
    for (const std::size_t at : {std::size_t{0}, std::size_t{7000}, x.size() - 1}) {
        const T before = std::exchange(x[at], number);
        const Matrix by_row = row_major(x, kFeatures);
        const Matrix by_column{Columns<T>{x.data(), 1, kRows}, kRows, kFeatures};
        for (const Matrix& matrix : {by_row, by_column})
            for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa)
                for (const int n_threads : {1, 2}) {
                    const Scan found = scan(matrix, static_cast<Isa>(isa), n_threads, monitor);
                    CHECK(found.finite == expected.finite && found.whole == expected.whole);
                    CHECK(!found.finite || found.max_abs == expected.max_abs);
                }
        x[at] = before;
    }
}

// The same scan and the same digests as those of one row after the other, for any blocks and threads.
void test_digests(std::int64_t n_rows, std::int64_t n_features) {
    const std::vector<double> x = normals(2, static_cast<std::size_t>(n_rows * n_features));
    const Matrix matrix = row_major(x, n_features);
    std::vector<std::uint64_t> expected;
    for (std::int64_t row = 0; row < n_rows; ++row) {
        expected.push_back(0);
        digest_rows(matrix.from_row(row, 1), Isa::baseline, std::span(expected).last(1));
    }
    Monitor monitor;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa)
        for (const int n_threads : {1, 2}) {
            const DigestedScan found = scan_and_digest(matrix, static_cast<Isa>(isa), n_threads, monitor);
            const Scan alone = scan(matrix, static_cast<Isa>(isa), n_threads, monitor);
            CHECK(found.digests == expected);
            CHECK(found.scan.finite && found.scan.whole == alone.whole);
            CHECK(found.scan.max_abs == alone.max_abs);
        }
}

}  // namespace

int main() {
    test_digests(5000, 3);
    test_digests(70, 700);  // a few rows fill the cache
    test_digests(3, 20000);
    test_digests(0, 4);

    test_one<double>(-12.0, {true, true, 12.0});
    test_one<double>(0.5, {true, false, 9.0});
    test_one<double>(-1e-320, {true, false, 9.0});
    test_one<double>(-1e300, {true, false, 1e300});  // too large for an integer
    test_one<double>(-kInfinity, {false, false, 0.0});
    test_one<double>(-kNaN, {false, false, 0.0});
    test_one<float>(-12.25F, {true, false, 12.25});
    test_one<float>(static_cast<float>(kNaN), {false, false, 0.0});
    test_one<std::uint8_t>(255, {true, true, 255.0});
    test_one<std::int16_t>(-32768, {true, true, 32768.0});
    test_one<std::int32_t>(std::numeric_limits<std::int32_t>::min(), {true, true, 0x1.0p31});

    const std::vector<double> none;
    CHECK(scan_rows({Columns<double>{none.data(), 3, 1}, 0, 3}, newest_isa()).max_abs == 0.0);
    CHECK(first_bad_column(row_major(std::vector<double>{1, 2, 3, 4}, 2)) == -1);
    CHECK(first_bad_column(row_major(std::vector<double>{1, 2, 3, 4, 5, kNaN, 7, kInfinity, 9}, 3)) == 1);
}
