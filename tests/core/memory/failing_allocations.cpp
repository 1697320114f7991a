// No allocation that fails ends the program, leaks or changes what comes later, as SQLite tests it: the n-th
// allocation of a call fails, for n = 1, 2, ... until a run makes fewer; and so do all from the n-th on. The
// call must throw std::bad_alloc or return the right bits, hold no memory afterwards, and return the right
// bits when it is made again. Prints how many failures were injected.
//
//   failing_allocations          every n
//   failing_allocations 20       n grows by a twentieth: every n up to 20, every second up to 40, ...
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "tests/core/check.h"
#include "tests/core/memory/failing_new.h"
#include "tests/core/memory/tiny_forest.h"

namespace {

struct Count {
    std::int64_t calls = 0, failures = 0, thrown = 0;
};

class Injector {
  public:
    explicit Injector(std::int64_t share) : share_(share) {}

    // Tries all numbers of failing allocations in a call that returns a fingerprint.
    template <class Call>
    void test(const std::string& name, const Call& call) {
        name_ = name;
        ++count_.calls;
        const std::uint64_t expected = call();
        for (const Failing failing : {Failing::one, Failing::all_from})
            for (std::int64_t n = 1; fails(n, failing, expected, call); n += 1 + n / share_)
                check(call() == expected, "another result after a failure");
    }

    const Count& count() const { return count_; }

  private:
    // Returns whether the call made as many allocations.
    template <class Call>
    bool fails(std::int64_t n, Failing failing, std::uint64_t expected, const Call& call) {
        const std::int64_t blocks = allocations.live_blocks, bytes = allocations.live_bytes;
        allocations.arm(n, failing);
        bool thrown = false;
        try {
            const std::uint64_t result = call();
            allocations.disarm();
            check(result == expected, "another result");
        } catch (const std::bad_alloc&) {
            allocations.disarm();
            thrown = true;
        }
        check(allocations.live_blocks == blocks && allocations.live_bytes == bytes, "a leak");
        const std::int64_t failed = allocations.failed;
        count_.failures += failed > 0 ? 1 : 0;
        count_.thrown += thrown ? 1 : 0;
        check(!thrown || failed > 0, "an exception without a failure");
        return failed > 0;
    }

    void check(bool good, const char* what) const {
        if (good) return;
        std::fprintf(stderr, "%s, allocation %lld: %s\n", name_.c_str(),
                     static_cast<long long>(allocations.first), what);
        std::exit(1);
    }

    std::int64_t share_;  // n grows by one part in so many
    std::string name_;
    Count count_;
};

void test_fits(Injector& injector, const NamedFamily& family, const TinyData& data, const Task& task) {
    for (const int n_threads : {1, 2})
        injector.test("fit of " + task.name + ", " + family.name, [&] {
            const foliation::Dictionary dictionary = family.make();
            return hash_of(fit(dictionary, data, task, n_threads));
        });
}

void test_calls(Injector& injector, const NamedFamily& family, const TinyData& data, const Task& task) {
    const TinyForest forest(family.make(), data, task);
    const auto test = [&](const char* name, const auto& call) {
        injector.test(name + (" of " + task.name + ", " + family.name), call);
    };
    for (const int n_threads : {1, 2}) {
        test("predict", [&] { return forest.predict(data.x, kRows, n_threads); });
        test("predict out of range", [&] { return forest.predict(data.far, kRows, n_threads); });
        test("predict out of the bag", [&] { return forest.predict_out_of_bag(n_threads); });
        test("neighbors", [&] { return forest.neighbors(n_threads); });
        test("depth affinity", [&] { return forest.depth_affinity(n_threads); });
    }
    test("predict a row", [&] { return forest.predict(data.x, 1, 1); });
    test("predict a row out of range", [&] { return forest.predict(data.far, 1, 1); });
    test("importance", [&] { return forest.importance(); });
    test("structure", [&] { return forest.structure(); });
    test("expand", [&] { return forest.expand(); });
    test("check", [&] { return forest.check(); });
}

}  // namespace

int main(int n_arguments, char** arguments) {
    const std::int64_t share =
        n_arguments > 1 ? std::atoll(arguments[1]) : std::numeric_limits<std::int64_t>::max();
    CHECK(share > 0);
    Injector injector(share);
    const TinyData data;
    for (const NamedFamily& family : all_families()) {
        for (const Task& task : all_tasks()) {
            test_fits(injector, family, data, task);
            test_calls(injector, family, data, task);
        }
    }
    for (const int n_threads : {1, 2}) {
        injector.test("views", [&] { return view(data, n_threads); });
        injector.test("scan", [&] { return scan(data, n_threads); });
    }
    const Count& count = injector.count();
    CHECK(count.failures > 5000 && 10 * count.thrown > 9 * count.failures);
    std::printf(
        "%lld allocations failed in %lld calls: %lld ended in std::bad_alloc, the others as if nothing was\n",
        static_cast<long long>(count.failures), static_cast<long long>(count.calls),
        static_cast<long long>(count.thrown));
}
