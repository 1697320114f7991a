// What a criterion must have, and which one a name stands for.
#include "core/criteria/criterion.h"
#include "core/cuts/cut.h"
#include "tests/core/criteria/check_gains.h"

using namespace foliation;

namespace {

// The sum of targets, squared, over both sides: a criterion as simple as can be.
struct SumSquares {
    static constexpr const char* kName = "sum_squares";
    static bool fits(const Targets& targets) { return !targets.classification(); }
    struct Left {
        double weight = 0.0, sum = 0.0;
    };

    explicit SumSquares(const Targets& t) : targets(&t) {}
    void begin(const NodeRows& rows) {
        node = rows;
        total = {};
        for (std::size_t slot = 0; slot < node.size(); ++slot) move(total, slot);
    }
    bool pure() const { return false; }
    double weight() const { return total.weight; }
    double impurity() const { return -total.sum * total.sum; }
    Left empty_left() const { return {}; }
    void move(Left& left, std::size_t slot) const {
        left.weight += node.weights[slot];
        left.sum += amount(slot);
    }
    double gain(const Left& left) const {
        const double right = total.sum - left.sum;
        return left.sum * left.sum + right * right - total.sum * total.sum;
    }
    bool cannot_beat(const Left& left, double bound) const { return !(gain(left) > bound); }
    std::size_t bin_width() const { return 2; }
    void add_to_bin(std::size_t slot, double* bin) const {
        bin[0] += node.weights[slot];
        bin[1] += amount(slot);
    }
    double move_bin(Left& left, const double* bin) const {
        left.weight += bin[0];
        left.sum += bin[1];
        return bin[0];
    }
    double amount(std::size_t slot) const {
        return node.weights[slot] * targets->values[static_cast<std::size_t>(node.rows[slot])];
    }

    const Targets* targets;
    NodeRows node;
    Left total;
};
struct WithoutGain : SumSquares {
    using SumSquares::SumSquares;
    double gain(const Left&) const = delete;
};
static_assert(TargetCriterion<SumSquares> && !TargetCriterion<WithoutGain> && !TargetCriterion<int>);
static_assert(!TargetCriterion<Clusters> && !ValueCriterion<SumSquares>);

// The widest gap between neighboring values.
struct WidestGap {
    struct Found {
        double threshold, gain;
    };
    void begin(const NodeRows& rows) { n = static_cast<double>(rows.size()); }
    bool pure() const { return false; }
    double weight() const { return n; }
    double impurity() const { return 0.0; }
    double cluster_level() const { return 0.0; }
    void read(const double* ascending, const std::uint32_t*, std::size_t count) {
        values.assign(ascending, ascending + count);
    }
    double left_weight(std::size_t n_left) const { return static_cast<double>(n_left); }
    std::optional<Found> best_cut(std::size_t first, std::size_t last, double bound) const {
        std::optional<Found> best;
        for (std::size_t k = first; k <= last; ++k)
            if (const double gap = values[k] - values[k - 1]; gap > (best ? best->gain : bound))
                best = Found{midpoint(values[k - 1], values[k]), gap};
        return best;
    }
    double n = 0.0;
    std::vector<double> values;
};
struct WithoutRead : WidestGap {
    void read(const double*, const std::uint32_t*, std::size_t) = delete;
};
static_assert(ValueCriterion<WidestGap> && ValueCriterion<Clusters> && !ValueCriterion<WithoutRead>);

template <class C>
Cut best_cut(C criterion, const NodeData& data, const std::vector<double>& values, Limits limits = {}) {
    criterion.begin(data.node());
    Cutter<double> cutter({Splitter::exact, limits, Isa::baseline});
    cutter.begin_tree(criterion.weight());
    Rng rng(1);
    return cutter.improve(Cut{}, 0, values, range_of<double>(values, Isa::baseline), criterion, rng);
}

void test_in_use() {
    NodeData data = make_node(1, 5, 2, true);
    data.weights.assign(5, 1.0);
    data.values = {3.0, -1.0, 2.0, -5.0, 1.0};
    const std::vector<double> values{4.0, 1.0, 9.0, 0.0, 5.0};  // by target: -5 -1 | 3 1 2
    const Targets targets = data.value_targets();
    const Cut cut = best_cut(SumSquares(targets), data, values);
    CHECK(cut.found && cut.threshold == 2.5 && cut.gain == 72.0);
    CHECK(best_cut(WidestGap(), data, values).threshold == 7.0);
    Limits limits;
    limits.min_samples_leaf = 2;
    CHECK(best_cut(WidestGap(), data, values, limits).threshold == 2.5);
}

template <class Expected>
bool makes(const char* name, const Targets& targets) {
    return std::holds_alternative<Expected>(make_criterion({.name = name}, targets));
}

}  // namespace

int main() {
    test_in_use();
    const NodeData data = make_node(2, 9, 2, true);
    CHECK(makes<TwoClasses<Gini>>("gini", data.class_targets(2)));
    CHECK(makes<ClassCounts<Gini>>("gini", data.class_targets(3)));
    CHECK(makes<TwoClasses<Entropy>>("entropy", data.class_targets(2)));
    CHECK(makes<ClassCounts<Entropy>>("entropy", data.class_targets(3)));
    CHECK(makes<SquaredError>("squared_error", data.value_targets()));
    CHECK(makes<Clusters>("fast_bic", {}));
    const CriterionNames names = criterion_names();
    CHECK(names.of_classes == std::vector<std::string>({"gini", "entropy"}));
    CHECK(names.of_numbers == std::vector<std::string>({"squared_error"}));
    CHECK(names.of_clusters.size() == 5);
    for (const std::string& name : names.of_clusters) CHECK(makes<Clusters>(name.c_str(), {}));
    for (const char* name : {"gini", "sum_squares", ""})  // the first does not fit numbers
        CHECK(error_of([&] { make_criterion({.name = name}, data.value_targets()); }) ==
              std::string("unknown criterion ") + name);
}
