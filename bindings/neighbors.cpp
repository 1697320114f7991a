#include "core/proximity/neighbors.h"

#include <optional>

#include "core/proximity/depth_affinity.h"
#include "trees.h"

namespace foliation::bindings {

namespace {

using LeafIdArray = In<std::int32_t, 2>;  // (trees, rows)

Membership members_of(std::span<const std::uint64_t> bits, std::size_t n_rows) {
    return {bits, n_rows > 0 ? bits.size() / n_rows : 0};
}

LeafIds leaf_ids_of(const LeafIdArray& leaves, const Membership& members) {
    return {{leaves.data(), leaves.size()}, leaves.shape(1), &members};
}

struct Index {
    std::vector<std::uint64_t> bits;
    Membership members;
    LeafIndex index;

    Index(const LeafIdArray& leaves, const In<std::uint64_t>& given, const In<std::int64_t>& leaf_start,
          int n_threads)
        : bits(span_of(given).begin(), span_of(given).end()),
          members(members_of(bits, leaves.shape(1))),
          index(Watch("proximity").run([&](Monitor& monitor) {
              return LeafIndex(leaf_ids_of(leaves, members), span_of(leaf_start), n_threads, monitor);
          })) {}
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;
};

struct Affinity {
    LeafIdArray leaves;
    In<std::uint64_t> bits;
    Membership members;
    DepthAffinity index;

    Affinity(LeafIdArray given, In<std::uint64_t> given_bits, const TreeArrays& trees)
        : leaves(std::move(given)),
          bits(std::move(given_bits)),
          members(members_of(span_of(bits), leaves.shape(1))),
          index(made(trees.trees())) {}
    Affinity(const Affinity&) = delete;
    Affinity& operator=(const Affinity&) = delete;

  private:
    DepthAffinity made(const Trees& trees) const {
        std::optional<DepthAffinity> index;
        Watch("proximity").run([&](Monitor& monitor) {
            run_here(monitor, [&] { index.emplace(trees, leaf_ids_of(leaves, members), monitor); });
        });
        return *std::move(index);
    }
};

// (start, row, proximity): a sparse matrix of rows first .. last-1 against those of the index.
template <class Own>
auto near(const Own& self, const LeafIdArray& leaves, const In<std::uint64_t>& bits, nb::tuple range,
          double least, int n_threads) {
    const Membership members = members_of(span_of(bits), leaves.shape(1));
    const auto first = nb::cast<std::size_t>(range[0]);
    const auto last = nb::cast<std::size_t>(range[1]);
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> row;
    std::vector<double> proximity;
    Watch("proximity").run([&](Monitor& monitor) {
        const auto found =
            self.index.near(leaf_ids_of(leaves, members), first, last, least, n_threads, monitor);
        for (const std::vector<Near>& own : found)
            start.push_back(start.back() + static_cast<std::int64_t>(own.size()));
        row.reserve(static_cast<std::size_t>(start.back()));
        proximity.reserve(static_cast<std::size_t>(start.back()));
        for (const std::vector<Near>& own : found) {
            for (const Near& other : own) {
                row.push_back(other.row);
                proximity.push_back(other.proximity);
            }
        }
    });
    return tuple_of(to_numpy(std::move(start)), to_numpy(std::move(row)), to_numpy(std::move(proximity)));
}

// (proximity, neighbor) of the k nearest of each row.
template <class Own>
auto nearest(const Own& self, const LeafIdArray& leaves, const In<std::uint64_t>& bits, std::size_t k,
             const In<std::int64_t>& self_ids, int n_threads) {
    const Membership members = members_of(span_of(bits), leaves.shape(1));
    const std::size_t n_rows = leaves.shape(1);
    auto proximity = result_of<double>("kneighbors", n_rows, k);
    auto neighbor = result_of<std::int64_t>("kneighbors", n_rows, k);
    Watch("kneighbors").run([&](Monitor& monitor) {
        self.index.nearest(leaf_ids_of(leaves, members), k, span_of(self_ids), n_threads, monitor,
                           proximity.data(), neighbor.data());
    });
    return tuple_of(to_numpy(std::move(proximity), {n_rows, k}), to_numpy(std::move(neighbor), {n_rows, k}));
}

}  // namespace

void bind_neighbors(nb::module_& module) {
    nb::class_<Index>(module, "LeafIndex")
        .def(nb::init<const LeafIdArray&, const In<std::uint64_t>&, const In<std::int64_t>&, int>())
        .def("n_pairs",
             [](const Index& self, const LeafIdArray& leaves, const In<std::uint64_t>& bits) {
                 const Membership members = members_of(span_of(bits), leaves.shape(1));
                 return Watch("proximity").run_here([&](Monitor& monitor) {
                     return self.index.n_pairs(leaf_ids_of(leaves, members), monitor);
                 });
             })
        .def("near", &near<Index>)
        .def("nearest", &nearest<Index>);
    nb::class_<Affinity>(module, "DepthAffinity")
        .def(nb::init<LeafIdArray, In<std::uint64_t>, const TreeArrays&>())
        .def("near", &near<Affinity>)
        .def("nearest", &nearest<Affinity>);
}

}  // namespace foliation::bindings
