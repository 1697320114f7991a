#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace foliation {

namespace {

constexpr std::chrono::milliseconds kBetweenTicks{50};

struct Threads : std::vector<std::thread> {
    ~Threads() {
        for (std::thread& thread : *this) thread.join();
    }
};

}  // namespace

// Libraries that are loaded while a program runs, such as C++'s own under Python, get the memory of their
// thread-local variables when a thread first uses them: the C library takes it by malloc, and ends the
// process if there is none. What a thread has just freed it gets back, so small blocks of all sizes are taken
// first.
bool can_handle_exceptions() noexcept {
    constexpr std::size_t kStep = 16;
    std::array<void*, 32> blocks;
    for (std::size_t k = 0; k < blocks.size(); ++k) blocks[k] = std::malloc(kStep * (k + 1));
    const bool all =
        std::all_of(blocks.begin(), blocks.end(), [](const void* block) { return block != nullptr; });
    for (void* block : blocks) std::free(block);
    return all && std::uncaught_exceptions() >= 0;  // reads thread-local variables
}

void Monitor::tick() const {
    if (tick_ && tick_(done_.load(std::memory_order_relaxed))) stop();
}

void Monitor::look() const {
    const auto now = Clock::now();
    if (now - ticked_ < kBetweenTicks) return;
    ticked_ = now;
    tick();
}

InCaller::InCaller(const Monitor& monitor, bool in_caller) : monitor_(monitor), before_(monitor.in_caller_) {
    monitor.in_caller_ = in_caller;
    if (in_caller) monitor.ticked_ = Monitor::Clock::now();
}

void WorkerPool::offload(Work work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    --idle_workers_;
    offloaded_.notify_one();
}

// A worker that asks has finished what it ran. Only running workers offload: once none runs, all is done.
bool WorkerPool::take(Work& work) {
    std::unique_lock lock(mutex_);
    --working_;
    if (!monitor_.stopped() && next_ < n_tasks_) {
        work = [this, number = next_++](int worker) { task_(number, worker, *this); };
        ++working_;
        return true;
    }
    if (stealing_ && !monitor_.stopped()) {
        ++idle_workers_;
        offloaded_.wait(lock, [&] { return !queue_.empty() || working_ == 0; });
        if (!queue_.empty() && !monitor_.stopped()) {
            work = std::move(queue_.front());
            queue_.pop_front();
            ++working_;
            return true;
        }
    }
    if (working_ == 0) {
        offloaded_.notify_all();
        finished_.notify_one();
    }
    return false;
}

// Workers that never ran.
void WorkerPool::leave(int n_workers) {
    const std::lock_guard lock(mutex_);
    working_ -= n_workers;
    offloaded_.notify_all();
    finished_.notify_one();
}

void WorkerPool::run_worker(int worker) {
    for (Work work; take(work);) {
        try {
            work(worker);
        } catch (const Stopped&) {  // the monitor knows
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
            monitor_.stop();
        }
    }
}

void WorkerPool::wait() {
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, kBetweenTicks, [&] { return working_ == 0; })) {
        lock.unlock();
        monitor_.tick();
        lock.lock();
    }
}

// Starts as many threads as there is memory for.
void WorkerPool::start(int n_workers, std::vector<std::thread>& threads) {
    for (int w = 0; w < n_workers; ++w) {
        try {
            threads.emplace_back([this, w] { can_handle_exceptions() ? run_worker(w) : leave(1); });
        } catch (const std::exception&) {
            return leave(n_workers - w);
        }
    }
}

void WorkerPool::run_in_threads(int n_workers) {
    const InCaller not_in_caller(monitor_, false);
    Threads threads;
    threads.reserve(static_cast<std::size_t>(n_workers));
    working_ = n_workers;
    start(n_workers, threads);
    try {
        wait();
    } catch (...) {
        monitor_.stop();
        throw;
    }
}

void WorkerPool::run(int n_workers) {
    run_in_threads(n_workers);
    if (!monitor_.stopped() && next_ < n_tasks_) {
        const InCaller in_caller(monitor_);
        working_ = 1;
        run_worker(0);
    }
    if (error_) std::rethrow_exception(error_);
    monitor_.tick();
}

void for_each_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                   const std::function<void(std::int64_t, int)>& task) {
    WorkerPool pool(
        n_tasks, [&](std::int64_t number, int worker, WorkerPool&) { task(number, worker); }, false, monitor);
    pool.run(static_cast<int>(std::min<std::int64_t>(std::max(1, n_threads), n_tasks)));
}

void for_each_short_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                         const std::function<void(std::int64_t, int)>& task) {
    if (n_tasks > 1) return for_each_task(n_tasks, n_threads, monitor, task);
    if (n_tasks == 1) return run_here(monitor, [&] { task(0, 0); });
    monitor.tick();
}

void run_here(const Monitor& monitor, const std::function<void()>& work) {
    const InCaller in_caller(monitor);
    try {
        work();
    } catch (const Stopped&) {  // the monitor knows
    }
    monitor.tick();
}

}  // namespace foliation
