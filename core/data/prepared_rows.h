// Rows prepared for the members of a dictionary: the columns, and an integral table for each member that
// reads box sums.
#pragma once

#include "core/base/parallel.h"
#include "core/data/integral_table.h"
#include "core/data/matrix.h"

namespace foliation {

struct PreparedRows {
    Matrix matrix;
    std::vector<IntegralTable> tables;  // one per member; without cells if the member reads none

    // Fills the tables of rows begin .. end-1; different rows may be filled by different threads.
    void fill(std::int64_t begin, std::int64_t end);
    void fill_all(int n_threads, Monitor& monitor);
};

}  // namespace foliation
