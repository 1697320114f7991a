// One pass over the rows: are all numbers finite, how large is the largest, are they whole?
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/isa.h"
#include "core/base/parallel.h"
#include "core/data/matrix.h"

namespace foliation {

struct Scan {
    bool finite = true;
    bool whole = true;  // every value is an integer
    double max_abs = 0.0;
};

struct DigestedScan {
    Scan scan;
    std::vector<std::uint64_t> digests;  // of the rows; see row_digests.h
};

Scan scan(const Matrix& matrix, Isa isa, int n_threads, Monitor& monitor);
DigestedScan scan_and_digest(const Matrix& matrix, Isa isa, int n_threads, Monitor& monitor);
Scan scan_rows(const Matrix& matrix, Isa isa);  // in the calling thread

// The first column that holds NaN or an infinity; -1 if none does.
std::int64_t first_bad_column(const Matrix& matrix, const Monitor& monitor = Monitor());

}  // namespace foliation
