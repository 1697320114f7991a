// A worker pool runs all tasks and all work they offload, also work that offloads more; it stops when told
// to, and rethrows exceptions, those of the tick too. (tests/core/memory has threads that cannot start.)
#include <array>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/base/parallel.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int64_t kDepth = 10;

// Offloads one half of what is below it and does the other itself.
void halve(WorkerPool& pool, std::int64_t depth, std::atomic<std::int64_t>& n_done) {
    for (; depth < kDepth; ++depth)
        pool.offload([&pool, depth, &n_done](int) { halve(pool, depth + 1, n_done); });
    ++n_done;
}

void does_all(std::int64_t n_tasks, int n_workers) {
    Monitor monitor;
    std::atomic<std::int64_t> n_done{0};
    WorkerPool pool(
        n_tasks, [&](std::int64_t, int, WorkerPool& all) { halve(all, 0, n_done); }, true, monitor);
    pool.run(n_workers);
    CHECK(n_done == n_tasks << kDepth);
}

// A single task notices that another worker is idle, and that worker runs what is offloaded.
void feeds_the_idle() {
    Monitor monitor;
    std::array<std::atomic<int>, 2> worker_of{-1, -1};
    WorkerPool pool(
        1,
        [&](std::int64_t, int worker, WorkerPool& all) {
            worker_of[0] = worker;
            while (all.idle_workers() < 1) std::this_thread::yield();
            all.offload([&](int other) { worker_of[1] = other; });
            while (worker_of[1] < 0) std::this_thread::yield();
        },
        true, monitor);
    pool.run(2);
    CHECK(worker_of[0] != worker_of[1]);
}

void alone_nobody_is_idle() {
    Monitor monitor;
    WorkerPool pool(
        3, [](std::int64_t, int, WorkerPool& all) { CHECK(all.idle_workers() == 0); }, true, monitor);
    pool.run(1);
}

void rethrows_exceptions(int n_workers) {
    Monitor monitor;
    WorkerPool pool(
        2,
        [](std::int64_t, int, WorkerPool& all) {
            all.offload([](int) { throw std::runtime_error("a part"); });
        },
        true, monitor);
    std::string message;
    try {
        pool.run(n_workers);
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == "a part" && monitor.stopped());
}

// Once all workers have ended: none may touch what the caller has left.
void rethrows_exceptions_of_the_tick(int n_workers) {
    Monitor monitor([](std::int64_t) -> bool { throw std::runtime_error("a tick"); });
    std::atomic<int> n_ended{0};
    const std::string message = error_of([&] {
        for_each_task(n_workers, n_workers, monitor, [&](std::int64_t, int) {
            while (!monitor.stopped()) std::this_thread::yield();
            ++n_ended;
        });
    });
    CHECK(message == "a tick" && n_ended > 0);
}

void stops(int n_workers) {
    Monitor monitor([](std::int64_t) { return true; });
    WorkerPool pool(
        1,
        [&](std::int64_t, int, WorkerPool& all) {
            while (!monitor.stopped()) std::this_thread::yield();
            all.offload([](int) { CHECK(false); });
        },
        true, monitor);
    pool.run(n_workers);
}

// Whoever runs work catches what it throws once it sees that it was stopped.
void leaves_what_was_stopped() {
    Monitor monitor;
    monitor.check();
    int n_begun = 0, n_done = 0;
    const auto work = [&] {
        ++n_begun;
        monitor.stop();
        monitor.check();
        ++n_done;
    };
    run_here(monitor, work);
    for_each_short_task(1, 1, monitor, [&](std::int64_t, int) { work(); });
    CHECK(n_begun == 2 && n_done == 0);
}

// Work in the calling thread ticks by itself; workers that it starts leave that to the caller.
void runs_here() {
    const auto caller = std::this_thread::get_id();
    std::atomic<int> n_ticks{0};
    Monitor monitor([&](std::int64_t) {
        CHECK(std::this_thread::get_id() == caller);
        return ++n_ticks == 4;
    });
    const auto forever = [&] {
        while (true) monitor.check();
    };
    run_here(monitor, [&] {
        for_each_task(3, 3, monitor, [&](std::int64_t, int) {
            while (n_ticks < 2) monitor.check();
        });
        forever();
        CHECK(false);
    });
    CHECK(monitor.stopped() && n_ticks >= 4);
}

}  // namespace

int main() {
    CHECK(can_handle_exceptions());
    for (const std::int64_t n_tasks : {0, 1, 5})
        for (const int n_workers : {1, 2, 8}) does_all(n_tasks, n_workers);
    feeds_the_idle();
    leaves_what_was_stopped();
    runs_here();
    alone_nobody_is_idle();
    for (const int n_workers : {1, 2, 8}) {
        rethrows_exceptions(n_workers);
        rethrows_exceptions_of_the_tick(n_workers);
        stops(n_workers);
    }
}
