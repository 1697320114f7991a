// Small things that many tests build.
#pragma once

#include <cmath>
#include <cstdint>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/rng.h"
#include "core/data/matrix.h"
#include "core/data/targets.h"

template <class T>
foliation::Matrix row_major(const std::vector<T>& x, std::int64_t n_features) {
    return {foliation::Columns<T>{x.data(), n_features, 1}, std::ssize(x) / n_features, n_features};
}

// 0 .. n-1
inline std::vector<std::int32_t> first_rows(std::size_t n) {
    std::vector<std::int32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

inline std::vector<double> normals(std::uint64_t seed, std::size_t n) {
    foliation::Rng rng(seed);
    std::vector<double> x(n);
    for (double& value : x) value = rng.normal();
    return x;
}

// Whole numbers from lo to hi.
template <class T>
std::vector<T> whole_numbers(std::uint64_t seed, std::size_t n, std::int32_t lo, std::int32_t hi) {
    foliation::Rng rng(seed);
    std::vector<T> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<T>(rng.between(lo, hi)));
    return x;
}

inline bool close(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance * (1.0 + std::abs(b));
}

// What the exception says, or nothing if there is none.
template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

// Whether a call is left because its monitor was stopped.
template <class Call>
bool is_left(const Call& call) {
    try {
        call();
    } catch (const foliation::Stopped&) {
        return true;
    }
    return false;
}

// The samples of a node, with targets of both kinds.
struct NodeData {
    std::vector<std::int32_t> rows, classes;
    std::vector<double> weights, values;

    foliation::NodeRows node() const { return {rows, weights}; }
    foliation::Targets class_targets(std::int32_t n_classes) const { return {classes, {}, 1, n_classes, {}}; }
    foliation::Targets value_targets() const { return {{}, values, 1, 1, {}}; }
};

// Weights are 1, 2 or 3, or else fractions.
inline NodeData make_node(std::uint64_t seed, std::size_t n, std::int32_t n_classes, bool whole_weights) {
    foliation::Rng rng(seed);
    NodeData data{first_rows(n), {}, {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
        data.classes.push_back(rng.between(0, n_classes - 1));
        data.weights.push_back(whole_weights ? rng.between(1, 3) : 0.25 + rng.uniform());
        data.values.push_back(rng.normal());
    }
    return data;
}
