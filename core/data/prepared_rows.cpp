#include "core/data/prepared_rows.h"

#include <algorithm>

namespace foliation {

void PreparedRows::fill(std::int64_t begin, std::int64_t end) {
    for (IntegralTable& table : tables)
        if (table.n_cells() > 0) table.fill(matrix, begin, end);
}

void PreparedRows::fill_all(int n_threads, Monitor& monitor) {
    constexpr std::int64_t kBlock = 64;
    if (std::all_of(tables.begin(), tables.end(), [](const auto& table) { return table.n_cells() == 0; }))
        return;
    for_each_task((matrix.n_rows + kBlock - 1) / kBlock, n_threads, monitor, [&](std::int64_t task, int) {
        fill(task * kBlock, std::min(matrix.n_rows, (task + 1) * kBlock));
    });
}

}  // namespace foliation
