// Threads that live only as long as one call, with a caller that stays awake.
// Workers take tasks by number, and then parts of tasks that others hand out; the calling thread only
// waits and, twenty times a second, asks the monitor's tick whether to go on (Ctrl-C, a progress bar).
// Results are stored by task number, so nothing depends on how many threads there are.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

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

// The workers of one call and what is left for them to do: tasks by number, and parts of tasks that workers
// hand out while they run.
class Crew {
  public:
    using Task = std::function<void(std::int64_t number, int worker, Crew& crew)>;
    using Part = std::function<void(int worker)>;

    Crew(std::int64_t n_tasks, Task task, bool sharing, Monitor& monitor)
        : n_tasks_(n_tasks), task_(std::move(task)), sharing_(sharing), monitor_(monitor) {}

    // Workers that wait, less the parts that wait for them; above 0 it is time to hand one out.
    const std::atomic<std::int64_t>& hungry() const { return hungry_; }
    // Any worker may run the part, at any time, but it does run unless the monitor is stopped.
    void hand_out(Part part);
    // Does all tasks and parts on so many threads, and throws what a worker has thrown first.
    void run(int n_workers);

  private:
    void work(int worker);
    bool take(Part& part);
    void wait();

    const std::int64_t n_tasks_;
    const Task task_;
    const bool sharing_;  // whether tasks hand out parts, which are worth waiting for
    Monitor& monitor_;
    std::atomic<std::int64_t> hungry_{0};
    std::mutex mutex_;  // of what follows
    std::condition_variable handed_out_, finished_;
    std::int64_t next_ = 0;
    std::deque<Part> parts_;
    int working_ = 0;  // 0: all is done
    std::exception_ptr error_;
};

// Runs task(number, worker) for every number below n_tasks on n_threads threads (at most one per
// task). The first exception of a worker is thrown again here, after all threads have been joined.
void for_each_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                   const std::function<void(std::int64_t, int)>& task);
// The same for tasks that take a moment: a single one runs in the calling thread.
void for_each_short_task(std::int64_t n_tasks, int n_threads, Monitor& monitor,
                         const std::function<void(std::int64_t, int)>& task);

}  // namespace foliation
