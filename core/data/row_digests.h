// Numbers by which rows are recognized: SipHash-2-4 (Aumasson and Bernstein, 2012) of the values of a row.
// Its message are the values as 64-bit floats, the bytes of each from the lowest on, -0.0 as 0.0. So equal
// values have equal digests, whatever their number type and layout. The key is public, that of the published
// test vectors.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/isa.h"
#include "core/data/matrix.h"

namespace foliation {

constexpr std::int64_t kDigestLanes = 16;  // rows that are hashed side by side

// In the calling thread; there are as many digests as rows.
void digest_rows(const Matrix& matrix, Isa isa, std::span<std::uint64_t> digests);

}  // namespace foliation
