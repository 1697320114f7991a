// Atoms are read alike from all the ways in which they are stored.
#include "core/trees/tree.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

using Atom = std::vector<std::int32_t>;

template <class Start, class Word>
void test_stored(const std::vector<Atom>& atoms, bool with_starts) {
    std::vector<Start> start{0};
    std::vector<Word> words;
    for (const Atom& atom : atoms) {
        extend(words, atom);
        start.push_back(static_cast<Start>(words.size()));
    }
    const std::vector<double> threshold(atoms.size());
    Trees trees;
    trees.threshold = threshold;
    trees.atom_words = std::span<const Word>(words);
    if (with_starts) trees.atom_start = std::span<const Start>(start);
    CHECK(trees.n_words() == words.size());
    AtomReader reader(trees);
    for (std::size_t s = atoms.size(); s-- > 0;) {
        CHECK(reader.begin(s) == static_cast<std::size_t>(start[s]) && reader.size(s) == atoms[s].size());
        const Words atom = reader(s);
        CHECK(Atom(atom.begin(), atom.end()) == atoms[s]);
    }
}

void test_all(const std::vector<Atom>& atoms, bool with_starts) {
    test_stored<std::int32_t, std::int16_t>(atoms, with_starts);
    test_stored<std::int32_t, std::int32_t>(atoms, with_starts);
    test_stored<std::int64_t, std::int16_t>(atoms, with_starts);
    test_stored<std::int64_t, std::int32_t>(atoms, with_starts);
}

}  // namespace

int main() {
    const Atom nine{1, 2, 3, 4, 5, 6, 7, -8, -32768};
    test_all({{7}, {}, nine, {1, -1}, {0, 0, 3, 4, 5, 6, 7, 8}, {32767}}, true);
    test_all({{1, 2}, {3, 4}, {-5, -6}}, false);
    test_all({nine, nine}, false);
    test_all({}, false);

    std::vector<std::int32_t> offsets{0, 3};
    extend_offsets(offsets, {0, 2, 2, 7});
    CHECK(offsets == std::vector({0, 3, 5, 5, 10}));
    extend_offsets(offsets, {0});
    CHECK(offsets.size() == 5);

    const std::vector<std::int64_t> split_start{0, 3, 3, 4};
    Trees trees;
    trees.split_start = split_start;
    CHECK(trees.n_trees() == 3 && trees.n_splits(0) == 3 && trees.n_splits(1) == 0 && trees.n_splits(2) == 1);
}
