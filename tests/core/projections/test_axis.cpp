// A node sees every feature once; what other nodes have drawn does not matter.
#include <set>

#include "core/projections/axis.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

std::vector<std::int32_t> draw(const Axis& axis, Scratch& scratch, std::uint64_t key, int count) {
    axis.begin_node(scratch);
    Rng rng(key);
    std::vector<std::int32_t> words;
    for (int k = 0; k < count; ++k) CHECK(axis.draw(rng, scratch, words));
    return words;
}

}  // namespace

int main() {
    const Axis axis = Axis::make(9);
    Scratch scratch;
    const auto all = draw(axis, scratch, 1, 9);
    CHECK(std::set(all.begin(), all.end()).size() == 9);
    std::vector<std::int32_t> words;
    Rng rng(2);
    CHECK(!axis.draw(rng, scratch, words) && words.empty());

    std::set<std::int32_t> first;
    for (std::uint64_t key = 0; key < 200; ++key) {
        Scratch fresh;
        const auto drawn = draw(axis, scratch, key, 4);
        CHECK(drawn == draw(axis, fresh, key, 4));
        first.insert(drawn[0]);
    }
    CHECK(first.size() == 9);

    for (const std::int32_t id : all) CHECK(axis.holds(std::vector{id}));
    CHECK(!axis.holds(std::vector{-1}) && !axis.holds(std::vector{9}) && !axis.holds(std::vector{1, 2}));
    CHECK(!axis.holds({}));
}
