// Threads that live only as long as one call, with a caller that stays awake.
// Workers take tasks by number; the calling thread only waits and, twenty times a second, asks the
// monitor's tick whether to go on (Ctrl-C, a progress bar). Results are stored by task number, so
// nothing depends on how many threads there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace foliation {

class Monitor {
  public:
    using Tick = std::function<bool(std::int64_t done)>;  // true: stop
    explicit Monitor(Tick tick = nullptr) : tick_(std::move(tick)) {}

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }
    void stop() { stop_.store(true, std::memory_order_relaxed); }
    void count_one() { done_.fetch_add(1, std::memory_order_relaxed); }  // what the tick is told of
    void tick();

  private:
    std::atomic<bool> stop_{false};
    std::atomic<std::int64_t> done_{0};
    Tick tick_;
};

// Runs task(number, worker) for every number below n_tasks on n_threads threads (at most one per
// task). The first exception of a worker is thrown again here, after all threads have been joined.
void for_each_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                   const std::function<void(std::int64_t, int)>& task);
// The same for tasks that take a moment: a single one runs in the calling thread.
void for_each_short_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                         const std::function<void(std::int64_t, int)>& task);

}  // namespace foliation
