#include "core/data/scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "core/data/row_digests.h"

namespace foliation {

namespace {

// Bit patterns of floats without their sign order like the numbers do, and vectorize without fast-math.
struct ScanLine {
    template <class T>
    static FOLIATION_INLINE void run(const Line<T> values, std::int64_t n, Scan* line) {
        using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
        Bits largest = 0;
        bool whole = true;
        if constexpr (std::is_floating_point_v<T>) {
            for (std::int64_t i = 0; i < n; ++i) {
                const T x = values[i];
                const Bits bits = std::bit_cast<Bits>(x) & std::numeric_limits<Bits>::max();
                largest = bits > largest ? bits : largest;
            }
            const Bits limit = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
            line->finite = largest < limit;
            line->max_abs = static_cast<double>(std::bit_cast<T>(largest));
            // Whole numbers matter only where a narrow integer could hold them.
            whole = line->finite && line->max_abs < 0x1.0p30;
            for (std::int64_t i = 0; i < n && whole; ++i) {
                const T x = values[i];
                whole = static_cast<T>(static_cast<std::int32_t>(x)) == x;
            }
        } else {
            T lo = 0;
            T hi = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                const T x = values[i];
                lo = x < lo ? x : lo;
                hi = x > hi ? x : hi;
            }
            line->max_abs = std::max(0.0 - static_cast<double>(lo), static_cast<double>(hi));
        }
        line->whole = whole;
    }
};

Scan merge(const Scan& a, const Scan& b) {
    return {a.finite && b.finite, a.whole && b.whole, std::max(a.max_abs, b.max_abs)};
}

}  // namespace

Scan scan_rows(const Matrix& matrix, Isa isa) {
    return std::visit(
        [&]<class T>(const Columns<T>& c) {
            const bool by_row = c.by_row();  // numbers of a line lie close together
            const std::int64_t n_lines = by_row ? matrix.n_rows : matrix.n_features;
            const std::int64_t length = by_row ? matrix.n_features : matrix.n_rows;
            Scan all;
            for (std::int64_t i = 0; i < n_lines; ++i) {
                Scan line;
                run_on<ScanLine>(isa, by_row ? c.row(i) : c.column(i), length, &line);
                all = merge(all, line);
            }
            return all;
        },
        matrix.columns);
}

namespace {

// Merges what scan_block(first row, number of rows) finds in all blocks.
template <class ScanBlock>
Scan scan_blocks(const Matrix& matrix, int n_threads, Monitor& monitor, const ScanBlock& scan_block) {
    constexpr std::int64_t kCells = 1 << 24;  // of a block, unless its rows are few and long
    const std::int64_t fitting = kCells / std::max<std::int64_t>(1, matrix.n_features);
    const std::int64_t size = std::clamp<std::int64_t>(fitting, 64, 4096);
    std::vector<Scan> parts(static_cast<std::size_t>((matrix.n_rows + size - 1) / size));
    for_each_short_task(std::ssize(parts), n_threads, monitor, [&](std::int64_t task, int) {
        const std::int64_t first = task * size;
        parts[static_cast<std::size_t>(task)] = scan_block(first, std::min(size, matrix.n_rows - first));
    });
    return std::accumulate(parts.begin(), parts.end(), Scan{}, merge);
}

// Scans a few rows and then hashes them, while they are in the cache.
Scan scan_and_digest_rows(const Matrix& matrix, Isa isa, std::span<std::uint64_t> digests) {
    constexpr std::int64_t kCached = 16384;  // values
    const std::int64_t groups = kCached / (kDigestLanes * std::max<std::int64_t>(1, matrix.n_features));
    const std::int64_t step = kDigestLanes * std::max<std::int64_t>(1, groups);
    Scan all;
    for (std::int64_t first = 0; first < matrix.n_rows; first += step) {
        const std::int64_t count = std::min(step, matrix.n_rows - first);
        const Matrix part = matrix.from_row(first, count);
        all = merge(all, scan_rows(part, isa));
        digest_rows(part, isa,
                    digests.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
    }
    return all;
}

}  // namespace

Scan scan(const Matrix& matrix, Isa isa, int n_threads, Monitor& monitor) {
    return scan_blocks(matrix, n_threads, monitor, [&](std::int64_t first, std::int64_t count) {
        return scan_rows(matrix.from_row(first, count), isa);
    });
}

DigestedScan scan_and_digest(const Matrix& matrix, Isa isa, int n_threads, Monitor& monitor) {
    std::vector<std::uint64_t> digests(static_cast<std::size_t>(matrix.n_rows));
    const auto scan_block = [&](std::int64_t first, std::int64_t count) {
        const std::span part(digests.data() + first, static_cast<std::size_t>(count));
        return scan_and_digest_rows(matrix.from_row(first, count), isa, part);
    };
    const Scan all = scan_blocks(matrix, n_threads, monitor, scan_block);
    return {all, std::move(digests)};
}

std::int64_t first_bad_column(const Matrix& matrix, const Monitor& monitor) {
    return std::visit(
        [&](const auto& c) {
            std::int64_t first = matrix.n_features;  // columns from here on need no check
            for (std::int64_t row = 0; row < matrix.n_rows; ++row) {
                monitor.check();
                for (std::int64_t id = 0; id < first; ++id)
                    if (!std::isfinite(c.at(row, id))) first = id;
            }
            return first < matrix.n_features ? first : -1;
        },
        matrix.columns);
}

}  // namespace foliation
