#include "core/data/row_digests.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace foliation {

namespace {

constexpr std::int64_t kLanes = kDigestLanes;
constexpr std::int64_t kWords = 64;  // of each of them that are read at a time
using Words = std::uint64_t[kWords][kLanes];

// Rows that are hashed side by side.
struct Part {
    std::int64_t first = 0;
    std::int64_t n_rows = 0;
};

template <int n>
FOLIATION_INLINE std::uint64_t rotated(std::uint64_t x) {
    return x << n | x >> (64 - n);
}

// The state of one row.
struct State {
    std::uint64_t v0, v1, v2, v3;

    FOLIATION_INLINE void mix() {
        v0 += v1;
        v2 += v3;
        v1 = rotated<13>(v1) ^ v0;
        v3 = rotated<16>(v3) ^ v2;
        v0 = rotated<32>(v0) + v3;
        v2 += v1;
        v3 = rotated<21>(v3) ^ v0;
        v1 = rotated<17>(v1) ^ v2;
        v2 = rotated<32>(v2);
    }
    FOLIATION_INLINE void absorb(std::uint64_t word) {
        v3 ^= word;
        mix();
        mix();
        v0 ^= word;
    }
    FOLIATION_INLINE std::uint64_t digest(std::uint64_t n_words) {
        absorb(n_words * 8 << 56);  // the number of bytes, modulo 256
        v2 ^= 0xff;
        mix();
        mix();
        mix();
        mix();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

constexpr std::uint64_t kKey[] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
constexpr State kStart = {kKey[0] ^ 0x736f6d6570736575, kKey[1] ^ 0x646f72616e646f6d,
                          kKey[0] ^ 0x6c7967656e657261, kKey[1] ^ 0x7465646279746573};

// The states of kLanes rows, as arrays that compilers turn into vectors.
struct States {
    alignas(64) std::uint64_t v[4][kLanes];

    FOLIATION_INLINE State at(std::int64_t lane) const {
        return {v[0][lane], v[1][lane], v[2][lane], v[3][lane]};
    }
    FOLIATION_INLINE void set(std::int64_t lane, const State& state) {
        v[0][lane] = state.v0;
        v[1][lane] = state.v1;
        v[2][lane] = state.v2;
        v[3][lane] = state.v3;
    }
};

template <class T>
FOLIATION_INLINE std::uint64_t word_of(T value) {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
    return bits << 1 == 0 ? 0 : bits;  // -0.0 equals 0.0
}

struct DigestRows {
    template <class T>
    static FOLIATION_INLINE void run(const Columns<T> columns, std::int64_t n_rows, std::int64_t n_features,
                                     std::uint64_t* digests) {
        alignas(64) Words words = {};  // lanes beyond the last row are hashed, too, and left out
        for (std::int64_t first = 0; first < n_rows; first += kLanes) {
            const Part part{first, std::min(kLanes, n_rows - first)};
            States states;
            for (std::int64_t lane = 0; lane < kLanes; ++lane) states.set(lane, kStart);
            for (std::int64_t id = 0; id < n_features; id += kWords) {
                const std::int64_t n_words = std::min(kWords, n_features - id);
                read(columns, part, id, n_words, words);
                absorb(words, n_words, states);
            }
            for (std::int64_t lane = 0; lane < part.n_rows; ++lane)
                digests[first + lane] = states.at(lane).digest(static_cast<std::uint64_t>(n_features));
        }
    }

    template <class T>
    static FOLIATION_INLINE void read(const Columns<T>& columns, Part part, std::int64_t id,
                                      std::int64_t n_words, Words& words) {
        if (columns.by_row()) {
            for (std::int64_t lane = 0; lane < part.n_rows; ++lane) {
                const Line<T> row = columns.row(part.first + lane);
                for (std::int64_t k = 0; k < n_words; ++k) words[k][lane] = word_of<T>(row[id + k]);
            }
        } else {
            for (std::int64_t k = 0; k < n_words; ++k) {
                const Line<T> column = columns.column(id + k);
                for (std::int64_t lane = 0; lane < part.n_rows; ++lane)
                    words[k][lane] = word_of<T>(column[part.first + lane]);
            }
        }
    }

    static FOLIATION_INLINE void absorb(const Words& words, std::int64_t n_words, States& states) {
        for (std::int64_t k = 0; k < n_words; ++k)
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                State state = states.at(lane);
                state.absorb(words[k][lane]);
                states.set(lane, state);
            }
    }
};

}  // namespace

void digest_rows(const Matrix& matrix, Isa isa, std::span<std::uint64_t> digests) {
    assert(std::ssize(digests) == matrix.n_rows);
    std::visit(
        [&](const auto& columns) {
            run_on<DigestRows>(isa, columns, matrix.n_rows, matrix.n_features, digests.data());
        },
        matrix.columns);
}

}  // namespace foliation
