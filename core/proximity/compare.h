// Rows compared with others by the leaves that they reach, row by row on several threads.
//
// Every worker makes a comparer of its own, which offers to a sink the others that are near a row:
//   offer(rows, row, sink)    calls sink.offer({proximity, other}) for every other with a proximity above 0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/data/row_plan.h"
#include "core/proximity/nearest.h"

namespace foliation {

// Rows that have been sent down the trees: leaf[tree * n_rows + row].
struct LeafIds {
    std::span<const std::int32_t> leaf;
    std::size_t n_rows = 0;
    const Membership* members = nullptr;
};

// Calls work(row, comparer, worker) for rows first .. last-1.
template <class Make, class Work>
void compare_rows(const Make& make, std::size_t first, std::size_t last, int n_threads, Monitor& monitor,
                  const Work& work) {
    constexpr std::int64_t kTogether = 64;  // rows of a task
    std::vector<std::optional<decltype(make())>> comparers(static_cast<std::size_t>(std::max(1, n_threads)));
    const auto n = static_cast<std::int64_t>(last - first);
    for_each_task((n + kTogether - 1) / kTogether, n_threads, monitor, [&](std::int64_t task, int worker) {
        auto& comparer = comparers[static_cast<std::size_t>(worker)];
        if (!comparer) comparer.emplace(make());
        const auto begin = first + static_cast<std::size_t>(task * kTogether);
        for (std::size_t row = begin; row < std::min(begin + kTogether, last) && !monitor.stopped(); ++row)
            work(row, *comparer, worker);
    });
}

// The k nearest of each row, and where they are written; self[row] is the number to leave out, or -1.
struct NearestRequest {
    std::size_t k = 0, n_trees = 0;
    std::span<const std::int64_t> self;
    double* proximity = nullptr;
    std::int64_t* neighbor = nullptr;
};

template <class Make>
void write_nearest(const Make& make, const LeafIds& rows, const NearestRequest& request, int n_threads,
                   Monitor& monitor) {
    const std::size_t k = request.k;
    std::vector<Nearest> own(static_cast<std::size_t>(std::max(1, n_threads)), Nearest(k, request.n_trees));
    compare_rows(make, 0, rows.n_rows, n_threads, monitor, [&](std::size_t row, auto& comparer, int worker) {
        Nearest& nearest = own[static_cast<std::size_t>(worker)];
        nearest.begin(request.self[row]);
        comparer.offer(rows, row, nearest);
        nearest.write(request.proximity + row * k, request.neighbor + row * k);
    });
}

// All others of at least this proximity to the rows first .. last-1.
struct NearRequest {
    std::size_t first = 0, last = 0;
    double least = 0.0;
};

// Returns those of each row, ascending by number.
template <class Make>
std::vector<std::vector<Near>> find_near(const Make& make, const LeafIds& rows, const NearRequest& request,
                                         int n_threads, Monitor& monitor) {
    struct AtLeast {
        double proximity;
        std::vector<Near> found;

        std::size_t fewest() const { return 0; }
        void offer(const Near& near) {
            if (near.proximity >= proximity) found.push_back(near);
        }
    };
    std::vector<std::vector<Near>> found(request.last - request.first);
    compare_rows(make, request.first, request.last, n_threads, monitor,
                 [&](std::size_t row, auto& comparer, int) {
                     AtLeast sink{request.least, {}};
                     comparer.offer(rows, row, sink);
                     std::sort(sink.found.begin(), sink.found.end(),
                               [](const Near& a, const Near& b) { return a.row < b.row; });
                     found[row - request.first] = std::move(sink.found);
                 });
    return found;
}

}  // namespace foliation
