#include "core/trees/route.h"

namespace foliation {

void with_walker(const Dictionary& dictionary, const PreparedRows& prepared, const Trees& trees,
                 Scratch& scratch, const std::function<void(const WalkAll&)>& use) {
    with_evaluator(dictionary, prepared, scratch, [&](const auto& value) {
        use([&](std::span<Walk> walks) { walk_all(trees, walks, value); });
    });
}

}  // namespace foliation
