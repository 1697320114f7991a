#include "core/forest/trainer.h"

#include <algorithm>
#include <memory>

#include "core/trees/route.h"

namespace foliation {

namespace {

// The leaves that rows reach in one tree.
std::vector<std::int32_t> leaves_of(const TrainingData& data, const Tree& tree,
                                    std::span<const std::int32_t> rows, const Monitor& monitor) {
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
    with_walker(data.dictionary, data.rows, trees, scratch, [&](const WalkAll& walk_all) {
        for (std::size_t first = 0; first < rows.size(); first += kMostWalks) {
            monitor.check();
            walks.clear();
            for (std::size_t i = first; i < std::min(first + kMostWalks, rows.size()); ++i)
                walks.push_back(start(trees, 0, rows[i]));
            walk_all(walks);
            for (const Walk& walk : walks) leaf_ids.push_back(~walk.at);
        }
    });
    return leaf_ids;
}

// A tree in training.
struct TreeTask {
    TreeTask(RowPlan p, std::uint64_t key) : plan(std::move(p)), growth(plan.structure, key) {}

    const RowPlan plan;
    Growth growth;
    std::atomic<std::int64_t> n_growing{1};  // parts
};

// Trains trees on the workers of a pool. A tree grows in parts: a busy worker offloads some to idle ones.
class ForestTrainer {
  public:
    ForestTrainer(const TrainingData& data, TreeRange range, const ForestRules& rules, Monitor& monitor)
        : data_(data),
          range_(range),
          rules_(rules),
          monitor_(monitor),
          tasks_(static_cast<std::size_t>(range.count)),
          trained_(static_cast<std::size_t>(range.count)),
          growers_(static_cast<std::size_t>(n_workers())),
          pool_(
              range.count, [this](std::int64_t task, int worker, WorkerPool&) { train_tree(task, worker); },
              !rules.grow.best_first(), monitor) {}

    std::vector<TrainedTree> run() {
        pool_.run(n_workers());
        return std::move(trained_);
    }

  private:
    // At most as many as there can be parts that are worth offloading.
    int n_workers() const {
        const std::int64_t parts =
            rules_.grow.best_first() ? 1 : data_.sampling.n_draws / rules_.grow.least_part;
        const std::int64_t all = range_.count * std::max<std::int64_t>(1, parts);
        return static_cast<int>(std::min<std::int64_t>(std::max(1, rules_.n_threads), all));
    }

    bool may_share(const Samples& structure) const {
        return !rules_.grow.best_first() && std::ssize(structure.rows) >= 2 * rules_.grow.least_part;
    }

    Grower& grower_of(int worker) {
        auto& grower = growers_[static_cast<std::size_t>(worker)];
        if (!grower)
            grower = std::make_unique<Grower>(data_.dictionary, data_.rows, rules_.grow,
                                              make_criterion(rules_.criterion, data_.targets), monitor_);
        return *grower;
    }

    void train_tree(std::int64_t task, int worker) {
        const std::int64_t tree = range_.first + task;
        const std::uint64_t key = tree_key(data_.sampling.seed, tree, Purpose::nodes);
        RowPlan plan = plan_tree(data_, tree, monitor_);
        if (!may_share(plan.structure))
            return finish(task, plan, grow_tree(grower_of(worker), plan.structure, key));
        auto& shared = tasks_[static_cast<std::size_t>(task)];
        shared = std::make_unique<TreeTask>(std::move(plan), key);
        grow_part(task, shared->growth.root, worker);
    }

    // The last part to be grown finishes the tree.
    void grow_part(std::int64_t number, Part& part, int worker) {
        auto& task = tasks_[static_cast<std::size_t>(number)];
        const auto queue = [&](Part& other_part) {
            task->n_growing.fetch_add(1);
            pool_.offload([this, number, &other_part](int other) { grow_part(number, other_part, other); });
        };
        grower_of(worker).grow(task->growth, part, {pool_.idle_workers(), queue});
        if (task->n_growing.fetch_sub(1) != 1) return;
        finish(number, task->plan, stitch(task->growth));
        task.reset();
    }

    void finish(std::int64_t task, const RowPlan& plan, Grown grown) {
        Leaves leaves = fill_tree(data_, plan, grown, rules_.prior, monitor_);
        trained_[static_cast<std::size_t>(task)] = {std::move(grown.tree), std::move(leaves)};
        if (!monitor_.stopped()) monitor_.count_one();
    }

    const TrainingData& data_;
    const TreeRange range_;
    const ForestRules& rules_;
    Monitor& monitor_;
    std::vector<std::unique_ptr<TreeTask>> tasks_;  // trees that grow in parts
    std::vector<TrainedTree> trained_;
    std::vector<std::unique_ptr<Grower>> growers_;  // per worker
    WorkerPool pool_;
};

}  // namespace

RowPlan plan_tree(const TrainingData& data, std::int64_t tree, const Monitor& monitor) {
    return draw_rows(data.sampling, tree, data.targets, monitor);
}

Grown grow_tree(Grower& grower, const Samples& structure, std::uint64_t key) {
    Growth growth(structure, key);
    const std::atomic<std::int64_t> no_idle_workers{0};
    grower.grow(growth, growth.root, {no_idle_workers, nullptr});
    return stitch(growth);
}

Leaves fill_tree(const TrainingData& data, const RowPlan& plan, const Grown& grown, HonestPrior prior,
                 const Monitor& monitor) {
    const Samples& samples = plan.honest() ? plan.estimation : plan.structure;
    const auto fill = [&](std::span<const std::int32_t> leaf_of) {
        return fill_leaves(data.targets, {samples.rows, samples.weights}, leaf_of, grown.tree.n_leaves);
    };
    if (!plan.honest()) return fill(grown.leaf_of);
    return with_prior(fill(leaves_of(data, grown.tree, samples.rows, monitor)), grown.tree, data.targets,
                      prior, monitor);
}

std::vector<TrainedTree> train_trees(const TrainingData& data, TreeRange range, const ForestRules& rules,
                                     Monitor& monitor) {
    return ForestTrainer(data, range, rules, monitor).run();
}

}  // namespace foliation
