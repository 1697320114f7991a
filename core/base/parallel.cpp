#include "core/base/parallel.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

namespace foliation {

void Monitor::tick() {
    if (tick_ && tick_(done_.load(std::memory_order_relaxed))) stop();
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

void WorkerPool::run_worker(int worker) {
    for (Work work; take(work);) {
        try {
            work(worker);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!error_) error_ = std::current_exception();
            monitor_.stop();
        }
    }
}

void WorkerPool::wait() {
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, std::chrono::milliseconds(50), [&] { return working_ == 0; })) {
        lock.unlock();
        monitor_.tick();
        lock.lock();
    }
}

void WorkerPool::run(int n_workers) {
    working_ = n_workers;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(n_workers));
    for (int w = 0; w < n_workers; ++w) {
        try {
            threads.emplace_back([this, w] { run_worker(w); });
        } catch (const std::system_error&) {  // no more threads available: those that run do all the work
            const std::lock_guard lock(mutex_);
            working_ -= n_workers - w;
            offloaded_.notify_all();
            break;
        }
    }
    if (threads.empty() && n_workers > 0) {
        working_ = 1;
        run_worker(0);
    }
    if (n_workers > 0) wait();
    for (std::thread& thread : threads) thread.join();
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
    if (n_tasks == 1) task(0, 0);
    monitor.tick();
}

}  // namespace foliation
