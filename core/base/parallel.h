// Threads that live only as long as one call, with a caller that stays responsive.
//
// This is work stealing: workers take tasks by number; once none is left, an idle worker takes work that
// busy workers offload from their tasks. The calling thread only waits and, twenty times a second, asks the
// monitor's tick whether to stop (Ctrl-C, a progress bar). Results are stored by task number, so that nothing
// depends on the number of threads.
//
// Memory may be short. Fewer threads than asked for, or none, do the same work: the calling thread does what
// no other took. Exceptions of workers reach the caller once all threads have ended.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace foliation {

// Thrown by Monitor::check(). Whoever runs the work catches it: what it leaves is incomplete.
struct Stopped {};

// Allocates what this thread needs for its first exception, and returns whether that succeeded. Without this
// memory, the C library would end the process at a throw. Later calls succeed if one did.
bool can_handle_exceptions() noexcept;

class Monitor {
  public:
    using Tick = std::function<bool(std::int64_t done)>;  // true: stop
    explicit Monitor(Tick tick = nullptr) : tick_(std::move(tick)) {}

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void stop() const { stop_.store(true, std::memory_order_relaxed); }
    void count_one() { done_.fetch_add(1, std::memory_order_relaxed); }  // what the tick is told of
    void tick() const;
    // For long loops, at least every few milliseconds: leaves them once the monitor is stopped. Work in the
    // calling thread, which cannot wait and tick, ticks here.
    void check() const {
        if (in_caller_ && ++n_checks_ % kChecksPerLook == 0) look();
        if (stopped()) throw Stopped{};
    }

  private:
    friend class InCaller;
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint32_t kChecksPerLook = 16;  // at the clock
    void look() const;

    mutable std::atomic<bool> stop_{false};  // that it was asked to stop is no state of what is monitored
    std::atomic<std::int64_t> done_{0};
    Tick tick_;
    mutable bool in_caller_ = false;
    mutable std::uint32_t n_checks_ = 0;
    mutable Clock::time_point ticked_;
};

// While it lives, work runs in the calling thread, or (if not) in workers.
class InCaller {
  public:
    explicit InCaller(const Monitor& monitor, bool in_caller = true);
    ~InCaller() { monitor_.in_caller_ = before_; }
    InCaller(const InCaller&) = delete;
    InCaller& operator=(const InCaller&) = delete;

  private:
    const Monitor& monitor_;
    const bool before_;
};

// The workers of one call and their queue: tasks by number, and work that running tasks offload.
class WorkerPool {
  public:
    using Task = std::function<void(std::int64_t number, int worker, WorkerPool& pool)>;
    using Work = std::function<void(int worker)>;

    WorkerPool(std::int64_t n_tasks, Task task, bool stealing, Monitor& monitor)
        : n_tasks_(n_tasks), task_(std::move(task)), stealing_(stealing), monitor_(monitor) {}

    // Number of idle workers minus queued work. If positive, a busy worker should offload some.
    const std::atomic<std::int64_t>& idle_workers() const { return idle_workers_; }
    // Queues work for any worker, at any time. It runs unless the monitor is stopped.
    void offload(Work work);
    // Runs all tasks and all offloaded work on n_workers threads. Rethrows the first exception of a worker.
    void run(int n_workers);

  private:
    void run_worker(int worker);
    bool take(Work& work);
    void start(int n_workers, std::vector<std::thread>& threads);
    void run_in_threads(int n_workers);
    void wait();
    void leave(int n_workers);

    const std::int64_t n_tasks_;
    const Task task_;
    const bool stealing_;  // whether tasks offload work, so that idle workers wait for it
    Monitor& monitor_;
    std::atomic<std::int64_t> idle_workers_{0};
    std::mutex mutex_;  // of what follows
    std::condition_variable offloaded_, finished_;
    std::int64_t next_ = 0;
    std::deque<Work> queue_;
    int working_ = 0;  // workers that run something; 0: all is done
    std::exception_ptr error_;
};

// Runs task(number, worker) for every number below n_tasks on n_threads threads (at most one per task).
// Rethrows the first exception of a worker after all threads have been joined, but for Stopped.
void for_each_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                   const std::function<void(std::int64_t, int)>& task);
// The same for short tasks: a single one runs in the calling thread.
void for_each_short_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                         const std::function<void(std::int64_t, int)>& task);
// Runs work() in the calling thread, which stays responsive if the work checks the monitor.
void run_here(const Monitor& monitor, const std::function<void()>& work);

}  // namespace foliation
