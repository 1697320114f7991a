#include <cstdint>
#include <string>

#include "core/base/in_place.h"
#include "tests/core/check.h"

using foliation::InPlace;

namespace {

int n_copies = 0;

struct alignas(32) Thing {  // cannot be made of nothing
    explicit Thing(int v) : value(v) {}
    Thing(const Thing& other) : value(other.value) { ++n_copies; }
    int value;
};

template <class T>
concept Storable = requires { typename InPlace<T, 1>; };
static_assert(Storable<Thing> && alignof(InPlace<Thing, 3>) == alignof(Thing));
static_assert(!Storable<std::string>);  // nobody would destroy it

}  // namespace

int main() {
    InPlace<Thing, 3> things;
    CHECK(things.size() == 0 && n_copies == 0);
    for (int k = 0; k < 3; ++k) {
        things.push_back(Thing(10 * k));
        CHECK(n_copies == k + 1);
    }
    things[1].value = 7;
    const std::span<const Thing> all = things;
    CHECK(all.size() == 3 && all[0].value == 0 && all[1].value == 7 && all[2].value == 20);
    for (const Thing& thing : all) CHECK(reinterpret_cast<std::uintptr_t>(&thing) % alignof(Thing) == 0);
    const auto* begin = reinterpret_cast<const std::byte*>(&things);
    const auto* first = reinterpret_cast<const std::byte*>(all.data());
    CHECK(begin <= first && first + 3 * sizeof(Thing) <= begin + sizeof(things));
}
