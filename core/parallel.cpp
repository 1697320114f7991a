#include "parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace foliation {

void Monitor::tick() {
    if (tick_ && tick_(done_.load(std::memory_order_relaxed))) stop();
}

namespace {

struct Crew {
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::condition_variable finished;
    int working = 0;
    std::exception_ptr error;
};

void work(Crew& crew, std::int64_t n_tasks, int worker, Monitor& monitor,
          const std::function<void(std::int64_t, int)>& task) {
    try {
        while (!monitor.stopped()) {
            const std::int64_t number = crew.next.fetch_add(1);
            if (number >= n_tasks) break;
            task(number, worker);
        }
    } catch (...) {
        const std::lock_guard lock(crew.mutex);
        if (!crew.error) crew.error = std::current_exception();
        monitor.stop();
    }
    const std::lock_guard lock(crew.mutex);
    if (--crew.working == 0) crew.finished.notify_one();
}

void wait_for(Crew& crew, Monitor& monitor) {
    std::unique_lock lock(crew.mutex);
    while (!crew.finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return crew.working == 0; })) {
        lock.unlock();
        monitor.tick();
        lock.lock();
    }
}

}  // namespace

void for_each_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                   const std::function<void(std::int64_t, int)>& task) {
    const int n_workers = static_cast<int>(std::min<std::int64_t>(std::max(1, n_threads), n_tasks));
    Crew crew;
    crew.working = n_workers;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(n_workers));
    for (int w = 0; w < n_workers; ++w) {
        try {
            threads.emplace_back([&, w] { work(crew, n_tasks, w, monitor, task); });
        } catch (const std::system_error&) {  // no more threads to be had: those that run do all the work
            const std::lock_guard lock(crew.mutex);
            crew.working -= n_workers - w;
            break;
        }
    }
    if (threads.empty() && n_workers > 0) {
        crew.working = 1;
        work(crew, n_tasks, 0, monitor, task);
    }
    if (n_workers > 0) wait_for(crew, monitor);
    for (std::thread& thread : threads) thread.join();
    if (crew.error) std::rethrow_exception(crew.error);
    monitor.tick();
}

void for_each_short_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                         const std::function<void(std::int64_t, int)>& task) {
    if (n_tasks > 1) return for_each_task(n_tasks, n_threads, monitor, task);
    if (n_tasks == 1) task(0, 0);
    monitor.tick();
}

}  // namespace foliation
