// What a family must have, and what it gets by default.
#include "core/projections/family.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kFeatures = 6;

// The next feature minus this one, around a circle.
struct Steps {
    static constexpr const char* kName = "steps";
    static Steps make() { return {}; }
    bool draw(Rng& rng, Scratch&, std::vector<std::int32_t>& words) const {
        words.push_back(rng.between(0, kFeatures - 1));
        return true;
    }
    void expand(Words words, Scratch&, Terms& out) const {
        out.add((words[0] + 1) % kFeatures, 1.0);
        out.add(words[0], -1.0);
    }
};
static_assert(ProjectionFamily<Steps>);

struct WithoutDraw : Steps {
    bool draw(Rng&, Scratch&, std::vector<std::int32_t>&) const = delete;
};
struct WithoutExpand : Steps {
    void expand(Words, Scratch&, Terms&) const = delete;
};
struct DecodesToNothing : Steps {
    void decode(Words, Scratch&, Decoded&) const {}
};
struct DecodesOtherWords : Steps {
    TermsAtom decode(std::span<const std::int16_t>, Scratch&, Decoded&) const { return {}; }
};
static_assert(!ProjectionFamily<WithoutDraw> && !ProjectionFamily<WithoutExpand> &&
              !ProjectionFamily<DecodesToNothing> && !ProjectionFamily<DecodesOtherWords> &&
              !ProjectionFamily<int>);

// With members that are optional.
struct Even : Steps {
    TableShape shape;
    bool holds(Words words) const { return words[0] % 2 == 0; }
    const TableShape* table_shape() const { return &shape; }
    std::int64_t max_cells() const { return 2; }
    std::int64_t whole_terms() const { return 3; }
    std::int64_t most_terms(Words words) const { return std::ssize(words); }
    void begin_node(Scratch& scratch) const { scratch.ids.assign(1, 7); }
    FeatureAtom decode(Words words, Scratch&, Decoded&) const { return {words[0]}; }
};

struct Signs : Steps {
    std::int64_t whole_terms() const { return 2; }
};

void test_value() {
    const std::vector<double> x{1, 4, 9, 16, 25, 36};
    Scratch scratch;
    Decoded decoded;
    const auto value = [&](std::int32_t id) {
        const std::vector<std::int32_t> words{id};
        return family::decode(Steps(), words, scratch, decoded).value(Columns<double>{x.data(), 6, 1}, {}, 0);
    };
    CHECK(value(0) == 3.0 && value(4) == 11.0 && value(5) == -35.0);
    CHECK(family::decode(Even(), std::vector{4}, scratch, decoded).id == 4);  // a form of its own
}

}  // namespace

int main() {
    test_value();
    const Steps steps;
    const Even even;
    for (std::int32_t id = -2; id < kFeatures + 2; ++id)
        CHECK(family::holds(steps, std::vector{id}, kFeatures) == (id >= 0 && id < kFeatures));
    CHECK(!family::holds(steps, {}, kFeatures) && !family::holds(steps, std::vector{1, 2}, kFeatures));
    CHECK(family::holds(even, std::vector{100}, kFeatures));  // it decides itself
    CHECK(!family::holds(even, std::vector{1}, kFeatures));
    Scratch scratch;
    family::begin_node(steps, scratch);
    CHECK(scratch.ids.empty());
    family::begin_node(even, scratch);
    CHECK(scratch.ids == std::vector{7});
    CHECK(family::table_shape(steps) == nullptr && family::table_shape(even) == &even.shape);
    CHECK(family::max_cells(steps) == 0 && family::max_cells(even) == 2);
    CHECK(family::whole_terms(steps) == 0 && family::whole_terms(even) == 3);
    CHECK(family::most_terms(steps, std::vector{1}, kFeatures) == kFeatures);
    CHECK(family::most_terms(Signs(), std::vector{1}, kFeatures) == 2);
    CHECK(family::most_terms(even, std::vector{1}, kFeatures) == 1);
}
