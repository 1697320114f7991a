// A small problem to grow trees on: every feature is a candidate at every node.
#pragma once

#include "core/growth/grower.h"
#include "tests/core/make.h"

struct GrowthProblem {
    std::vector<double> x;
    std::vector<std::int32_t> classes;
    foliation::Targets targets;
    foliation::Dictionary dictionary;
    foliation::PreparedRows prepared;
    foliation::Samples samples;
    foliation::GrowRules rules;

    GrowthProblem(std::vector<double> rows, std::int32_t n_features, std::vector<std::int32_t> codes)
        : x(std::move(rows)),
          classes(std::move(codes)),
          targets{classes, {}, 1, 3, {}},
          dictionary{{foliation::Axis{n_features}}, {1.0}, n_features},
          prepared{row_major(x, n_features), std::vector<foliation::IntegralTable>(1)},
          samples{first_rows(classes.size()), std::vector<double>(classes.size(), 1.0)} {
        rules.n_candidates = n_features;
    }
    GrowthProblem(const GrowthProblem&) = delete;

    foliation::Grown grow(const char* criterion = "gini", bool stopped = false) const {
        foliation::Monitor monitor;
        if (stopped) monitor.stop();
        foliation::Grower grower(dictionary, prepared, rules,
                                 foliation::make_criterion({.name = criterion}, targets), monitor);
        foliation::Growth growth(samples, 7);
        const std::atomic<std::int64_t> no_idle_workers{0};
        grower.grow(growth, growth.root, {no_idle_workers, nullptr});
        return foliation::stitch(growth);
    }
};
