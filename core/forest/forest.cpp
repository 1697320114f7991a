#include "core/forest/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/trees/route.h"

namespace foliation {

namespace {

template <class T>
bool fits(std::int64_t x) {
    return x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
}

// The power of two below the largest gain; 1 if no gain is positive.
double unit_of(const std::vector<double>& gains) {
    const double largest = gains.empty() ? 0.0 : *std::max_element(gains.begin(), gains.end());
    return largest > 0.0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

struct Planted {
    Tree tree;
    Leaves leaves;
};

// No trees yet, but the types for the starts and words of these, and no starts if all atoms are of one size.
Forest forest_for(const std::vector<Planted>& planted) {
    std::int64_t n_words = 0;
    std::int64_t size = -1;
    bool one_size = true;
    bool narrow = true;
    for (const Planted& p : planted) {
        const std::vector<std::int64_t>& start = p.tree.atom_start;
        const std::vector<std::int32_t>& words = p.tree.atom_words;
        for (std::size_t s = 0; s < p.tree.n_splits(); ++s) {
            if (size < 0) size = start[s + 1] - start[s];
            one_size = one_size && start[s + 1] - start[s] == size;
        }
        narrow = narrow && std::all_of(words.begin(), words.end(), fits<std::int16_t>);
        n_words += static_cast<std::int64_t>(words.size());
    }
    Forest forest;
    if (!narrow) forest.atom_words.emplace<1>();
    if (!fits<std::int32_t>(n_words)) forest.atom_start.emplace<1>();
    if (!one_size) std::visit([](auto& start) { start.push_back(0); }, forest.atom_start);
    return forest;
}

// Leaves hold what the fill rows that reach them say; growth has seen nothing of these.
Leaves fill_honestly(const Dictionary& dictionary, const View& view, const Targets& targets,
                     const RowPlan& plan, const Tree& tree) {
    const std::vector<std::int64_t> split_start{0, static_cast<std::int64_t>(tree.n_splits())};
    const Trees trees{split_start,
                      {},
                      tree.children,
                      tree.threshold,
                      {},
                      std::span(tree.atom_start),
                      std::span(tree.atom_words)};
    std::vector<std::int32_t> leaf_ids;
    std::vector<Walk> walks;
    Scratch scratch;
    with_evaluator(dictionary, view, scratch, [&](const auto& value) {
        for (std::size_t first = 0; first < plan.fill.rows.size(); first += kMostWalks) {
            walks.clear();
            for (std::size_t i = first; i < std::min(first + kMostWalks, plan.fill.rows.size()); ++i)
                walks.push_back(start(trees, 0, plan.fill.rows[i]));
            walk_all(trees, walks, value);
            for (const Walk& walk : walks) leaf_ids.push_back(~walk.at);
        }
    });
    return fill_leaves(targets, {plan.fill.rows, plan.fill.weights}, leaf_ids, tree.n_leaves);
}

// A tree on its way into the forest.
struct Planting {
    Planting(RowPlan p, std::uint64_t key) : plan(std::move(p)), growth(plan.grow, key) {}

    const RowPlan plan;
    Growth growth;
    std::atomic<std::int64_t> n_growing{1};  // parts
};

// Grows trees in parts, those that a worker gives away being grown by others of its crew.
class Nursery {
  public:
    Nursery(const Dictionary& dictionary, const View& view, const Targets& targets, const Sampling& sampling,
            TreeRange range, const ForestRules& rules, Monitor& monitor)
        : dictionary_(dictionary),
          view_(view),
          targets_(targets),
          sampling_(sampling),
          range_(range),
          rules_(rules),
          monitor_(monitor),
          plantings_(static_cast<std::size_t>(range.count)),
          planted_(static_cast<std::size_t>(range.count)),
          growers_(static_cast<std::size_t>(n_workers())),
          crew_(
              range.count, [this](std::int64_t task, int worker, Crew&) { plant(task, worker); },
              !rules.grow.best_first(), monitor) {}

    std::vector<Planted> run() {
        crew_.run(n_workers());
        return std::move(planted_);
    }

  private:
    // No more than there can be parts that are worth it.
    int n_workers() const {
        const std::int64_t parts = rules_.grow.best_first() ? 1 : sampling_.n_draws / rules_.grow.least_part;
        const std::int64_t all = range_.count * std::max<std::int64_t>(1, parts);
        return static_cast<int>(std::min<std::int64_t>(std::max(1, rules_.n_threads), all));
    }

    void plant(std::int64_t task, int worker) {
        const std::int64_t tree = range_.first + task;
        auto& planting = plantings_[static_cast<std::size_t>(task)];
        planting = std::make_unique<Planting>(draw_rows(sampling_, tree, targets_),
                                              tree_key(sampling_.seed, tree, Purpose::nodes));
        grow(task, planting->growth.whole, worker);
    }

    // The last part to be done completes the tree.
    void grow(std::int64_t task, Part& part, int worker) {
        auto& grower = growers_[static_cast<std::size_t>(worker)];
        if (!grower) {
            grower = std::make_unique<Grower>(dictionary_, view_, rules_.grow,
                                              make_criterion(rules_.criterion, targets_), monitor_);
        }
        Planting& planting = *plantings_[static_cast<std::size_t>(task)];
        const auto give = [&](Part& given) {
            planting.n_growing.fetch_add(1);
            crew_.hand_out([this, task, &given](int other) { grow(task, given, other); });
        };
        grower->grow(planting.growth, part, {crew_.hungry(), give});
        if (planting.n_growing.fetch_sub(1) == 1) complete(task);
    }

    void complete(std::int64_t task) {
        auto& planting = plantings_[static_cast<std::size_t>(task)];
        const RowPlan& plan = planting->plan;
        Grown grown = stitch(planting->growth);
        Leaves leaves = plan.honest() ? fill_honestly(dictionary_, view_, targets_, plan, grown.tree)
                                      : fill_leaves(targets_, {plan.grow.rows, plan.grow.weights},
                                                    grown.leaf_of, grown.tree.n_leaves);
        if (plan.honest()) leaves = with_prior(leaves, grown.tree, targets_, rules_.prior);
        planted_[static_cast<std::size_t>(task)] = {std::move(grown.tree), std::move(leaves)};
        planting.reset();
        if (!monitor_.stopped()) monitor_.count_one();
    }

    const Dictionary& dictionary_;
    const View& view_;
    const Targets& targets_;
    const Sampling& sampling_;
    const TreeRange range_;
    const ForestRules& rules_;
    Monitor& monitor_;
    std::vector<std::unique_ptr<Planting>> plantings_;
    std::vector<Planted> planted_;
    std::vector<std::unique_ptr<Grower>> growers_;  // per worker
    Crew crew_;
};

}  // namespace

void Forest::append(const Tree& tree, const Leaves& leaves) {
    split_start.push_back(split_start.back() + static_cast<std::int64_t>(tree.n_splits()));
    leaf_start.push_back(leaf_start.back() + tree.n_leaves);
    extend(children, tree.children);
    extend(threshold, tree.threshold);
    gain_unit.push_back(unit_of(tree.gain));
    for (const double g : tree.gain) gain.push_back(static_cast<float>(g / gain_unit.back()));
    std::visit(
        [&](auto& start) {
            if (!start.empty()) extend_offsets(start, tree.atom_start);
        },
        atom_start);
    std::visit([&](auto& words) { extend(words, tree.atom_words); }, atom_words);
    extend_offsets(value_start, leaves.start);
    extend(value_column, leaves.column);
    extend(value, leaves.value);
    extend(leaf_weight, leaves.weight);
}

Trees Forest::trees() const {
    Trees trees{split_start, leaf_start, children, threshold, gain, {}, {}};
    std::visit([&](const auto& start) { trees.atom_start = std::span(start); }, atom_start);
    std::visit([&](const auto& words) { trees.atom_words = std::span(words); }, atom_words);
    return trees;
}

Forest fit_forest(const Dictionary& dictionary, const View& view, const Targets& targets,
                  const Sampling& sampling, TreeRange range, const ForestRules& rules, Monitor& monitor) {
    Nursery nursery(dictionary, view, targets, sampling, range, rules, monitor);
    std::vector<Planted> planted = nursery.run();
    Forest forest = forest_for(planted);
    for (Planted& p : planted) {
        forest.append(p.tree, p.leaves);
        p = Planted{};
    }
    return forest;
}

}  // namespace foliation
