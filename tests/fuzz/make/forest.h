// Arrays of trees, most of them those of a forest: trees are put together as they grow, and then some numbers
// are overwritten, as in a file that somebody changed.
#pragma once

#include "core/forest/forest.h"
#include "core/trees/check.h"
#include "tests/fuzz/make/dictionary.h"

namespace foliation::fuzz {

struct FuzzForest {
    Forest forest;
    std::int32_t n_columns = 0;
    std::vector<std::int32_t> class_start;  // empty: numbers

    LeafColumns columns() const { return {n_columns, class_start}; }
    LeafValues values() const { return forest.leaf_values(n_columns); }
    ForestArrays arrays() const { return {forest.trees(), forest.gain_unit, values(), forest.leaf_weight}; }
};

inline Tree make_tree(Bytes& bytes, const Dictionary& dictionary) {
    Tree tree;
    tree.atom_start = {0};
    std::vector<std::size_t> open;  // places in `children` that refer to nothing yet
    const std::int32_t n_splits = bytes.between(0, 15);
    for (std::int32_t split = 0; split < n_splits; ++split) {
        if (split > 0) {
            const auto at = open.begin() + static_cast<std::ptrdiff_t>(bytes.below(open.size()));
            tree.children[*at] = split;
            open.erase(at);
        }
        open.insert(open.end(), {tree.children.size(), tree.children.size() + 1});
        tree.children.insert(tree.children.end(), {0, 0});
        tree.threshold.push_back(bytes.number());
        tree.gain.push_back(std::abs(bytes.number(1e30)));
        make_words(bytes, dictionary, tree.atom_words);
        tree.atom_start.push_back(std::ssize(tree.atom_words));
    }
    for (const std::size_t place : open) tree.children[place] = ~tree.n_leaves++;
    if (n_splits == 0) tree.n_leaves = 1;
    return tree;
}

// One or two classes of each output, any numbers, or nothing.
inline Leaves make_leaves(Bytes& bytes, const FuzzForest& fuzzed, std::int32_t n_leaves) {
    Leaves leaves;
    const auto put = [&](std::int32_t column, double value) {
        leaves.column.push_back(column);
        leaves.value.push_back(value);
    };
    for (std::int32_t leaf = 0; leaf < n_leaves; ++leaf) {
        const bool empty = bytes.rarely();
        for (std::size_t o = 0; !empty && o + 1 < fuzzed.class_start.size(); ++o) {
            const std::int32_t last = fuzzed.class_start[o + 1] - 1;
            const std::int32_t column = bytes.between(fuzzed.class_start[o], last);
            put(column, column < last ? 0.25 : 1.0);
            if (column < last) put(last, 0.75);
        }
        if (!empty && fuzzed.class_start.empty())
            for (std::int32_t column = 0; column < fuzzed.n_columns; ++column) put(column, bytes.number());
        leaves.start.push_back(std::ssize(leaves.value));
        leaves.weight.push_back(empty ? 0.0 : std::abs(bytes.number(1e300)));
    }
    return leaves;
}

// Overwrites one number, or makes an array longer or shorter.
template <class T>
void spoil(Bytes& bytes, std::vector<T>& array) {
    if (array.empty() || bytes.rarely()) return array.push_back(bytes.any<T>());
    T& number = array[bytes.below(array.size())];
    switch (bytes.between(0, 4)) {
        case 0:
            number = static_cast<T>(bytes.between(-8, 8));
            break;
        case 1:
            number = array[bytes.below(array.size())];
            break;
        case 2:
            number = std::numeric_limits<T>::max();
            break;
        case 3:
            number = bytes.any<T>();
            break;
        default:
            array.pop_back();
    }
}

inline void spoil(Bytes& bytes, Forest& forest) {
    const auto own = [&](auto& array) { spoil(bytes, array); };
    switch (bytes.between(0, 11)) {
        case 0:
            return own(forest.children);
        case 1:
            return own(forest.split_start);
        case 2:
            return own(forest.leaf_start);
        case 3:
            return own(forest.threshold);
        case 4:
            return own(forest.gain);
        case 5:
            return own(forest.gain_unit);
        case 6:
            return std::visit(own, forest.atom_start);
        case 7:
            return std::visit(own, forest.atom_words);
        case 8:
            return own(forest.value_start);
        case 9:
            return own(forest.value_column);
        case 10:
            return own(forest.value);
        default:
            return own(forest.leaf_weight);
    }
}

inline FuzzForest make_forest(Bytes& bytes, const Dictionary& dictionary) {
    FuzzForest fuzzed;
    const std::int32_t n_outputs = bytes.between(0, 2);
    fuzzed.n_columns = n_outputs;
    if (n_outputs > 0 && bytes.flag()) {
        fuzzed.class_start = {0};
        for (std::int32_t o = 0; o < n_outputs; ++o)
            fuzzed.class_start.push_back(fuzzed.class_start.back() + bytes.between(1, 4));
        fuzzed.n_columns = fuzzed.class_start.back();
    }
    Forest& forest = fuzzed.forest;
    if (!bytes.flag()) forest.atom_words.emplace<1>();
    if (bytes.flag()) forest.atom_start.emplace<1>();
    if (!bytes.flag()) std::visit([](auto& start) { start.push_back(0); }, forest.atom_start);
    for (std::int32_t k = bytes.between(1, 4); k > 0; --k) {
        const Tree tree = make_tree(bytes, dictionary);
        forest.append(tree, make_leaves(bytes, fuzzed, tree.n_leaves));
    }
    for (std::int32_t k = bytes.rarely() ? bytes.between(1, 3) : 0; k > 0; --k) spoil(bytes, forest);
    return fuzzed;
}

}  // namespace foliation::fuzz
