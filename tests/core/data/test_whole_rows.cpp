#include "core/data/whole_rows.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using foliation::WholeRows;

namespace {

// Reads rows of weight 1 but for the last.
WholeRows read(std::size_t n, double last) {
    NodeData data = make_node(1, n, 5, true);
    data.weights.assign(n, 1.0);
    data.weights.back() = last;
    WholeRows rows;
    rows.codes.assign(3, 1);  // of a node before
    rows.read(data.classes, data.weights, static_cast<double>(n) - 1.0 + last);
    if (rows.empty()) return rows;
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(rows.codes[i] == data.classes[i]);
        CHECK(rows.weights[i] == data.weights[i]);
    }
    CHECK(rows.codes.size() == n && rows.total == static_cast<double>(n) - 1.0 + last);
    return rows;
}

}  // namespace

int main() {
    CHECK(!read(64, 1.0).empty());
    CHECK(read(63, 1.0).empty());  // too few to be worth it
    CHECK(!read(200, 65535.0).empty());
    for (const double weight : {1.5, 0.25, 1.0 + 0x1.0p-50, 65536.0, 65537.0, 0x1.0p31, 1e300})
        CHECK(read(200, weight).empty());
}
