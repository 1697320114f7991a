// A crew does all tasks and all parts they hand out, also parts of parts; it stops when told to, and passes
// exceptions on.
#include <array>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/base/parallel.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int64_t kDepth = 10;

// Hands out one half of what is below it and does the other itself.
void halve(Crew& crew, std::int64_t depth, std::atomic<std::int64_t>& n_done) {
    for (; depth < kDepth; ++depth)
        crew.hand_out([&crew, depth, &n_done](int) { halve(crew, depth + 1, n_done); });
    ++n_done;
}

void does_all(std::int64_t n_tasks, int n_workers) {
    Monitor monitor;
    std::atomic<std::int64_t> n_done{0};
    Crew crew(n_tasks, [&](std::int64_t, int, Crew& all) { halve(all, 0, n_done); }, true, monitor);
    crew.run(n_workers);
    CHECK(n_done == n_tasks << kDepth);
}

// A single task learns that another worker waits, and that worker does what is handed out.
void feeds_the_hungry() {
    Monitor monitor;
    std::array<std::atomic<int>, 2> worker_of{-1, -1};
    Crew crew(
        1,
        [&](std::int64_t, int worker, Crew& all) {
            worker_of[0] = worker;
            while (all.hungry() < 1) std::this_thread::yield();
            all.hand_out([&](int other) { worker_of[1] = other; });
            while (worker_of[1] < 0) std::this_thread::yield();
        },
        true, monitor);
    crew.run(2);
    CHECK(worker_of[0] != worker_of[1]);
}

void alone_nobody_is_hungry() {
    Monitor monitor;
    Crew crew(3, [](std::int64_t, int, Crew& all) { CHECK(all.hungry() == 0); }, true, monitor);
    crew.run(1);
}

void passes_exceptions_on(int n_workers) {
    Monitor monitor;
    Crew crew(
        2,
        [](std::int64_t, int, Crew& all) { all.hand_out([](int) { throw std::runtime_error("a part"); }); },
        true, monitor);
    std::string message;
    try {
        crew.run(n_workers);
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == "a part" && monitor.stopped());
}

void stops(int n_workers) {
    Monitor monitor([](std::int64_t) { return true; });
    Crew crew(
        1,
        [&](std::int64_t, int, Crew& all) {
            while (!monitor.stopped()) std::this_thread::yield();
            all.hand_out([](int) { CHECK(false); });
        },
        true, monitor);
    crew.run(n_workers);
}

}  // namespace

int main() {
    for (const std::int64_t n_tasks : {0, 1, 5})
        for (const int n_workers : {1, 2, 8}) does_all(n_tasks, n_workers);
    feeds_the_hungry();
    alone_nobody_is_hungry();
    for (const int n_workers : {1, 2, 8}) {
        passes_exceptions_on(n_workers);
        stops(n_workers);
    }
}
