#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "capture/browser/page_driver.h"
#include "schema/base/result.h"

namespace topodb::capture {

// The pages that a run is explored with.
struct Tabs {
  PageDriver& first;
  // Opens another page, which outlives the pool. Called on any thread, but by one at a time.
  std::function<Result<PageDriver*>()> open_another = {};
  uint32_t limit = 1;  // of pages, the first among them; at least 1
  // Another page costs as much as several visits of one: it is opened for so many candidates each.
  uint32_t worth = 8;
};

// Work done on pages, one thread a page; on the first one until Grow adds others.
class TabPool {
 public:
  explicit TabPool(Tabs tabs) : tabs_(std::move(tabs)) { Add(&tabs_.first); }
  // Waits for the work that has begun; the rest is dropped.
  ~TabPool();
  TabPool(const TabPool&) = delete;
  TabPool& operator=(const TabPool&) = delete;

  // Opens one more page, unless there are as many as there may be. It takes part as soon as it
  // stands; one that cannot be opened leaves the work to the others.
  void Grow();
  bool may_grow() const { return threads_.size() < tabs_.limit; }
  // Whether so many candidates are worth one more.
  bool IsWorthwhile(uint64_t candidates) const { return candidates / size() >= tabs_.worth; }
  // Pages, those among them that are being opened.
  size_t size() const { return threads_.size(); }

  // `work` takes a PageDriver& and is done in the order of the calls.
  template <typename Work>
  auto Start(Work work) {
    return Put(std::move(work), Place::kLast);
  }
  // Before everything that waits.
  template <typename Work>
  auto StartNext(Work work) {
    return Put(std::move(work), Place::kNext);
  }

 private:
  using Job = std::function<void(PageDriver&)>;
  enum class Place : uint8_t { kNext, kLast };

  template <typename Work>
  auto Put(Work work, Place place) {
    using Answer = std::invoke_result_t<Work, PageDriver&>;
    auto task = std::make_shared<std::packaged_task<Answer(PageDriver&)>>(std::move(work));
    Enqueue([task](PageDriver& page) { (*task)(page); }, place);
    return task->get_future();
  }
  void Enqueue(Job job, Place place);
  void Add(PageDriver* page);  // null: to be opened
  void Serve(PageDriver* page);

  const Tabs tabs_;
  std::mutex opening_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> queue_;
  std::vector<std::thread> threads_;  // of the calling thread
  bool stopping_ = false;
};

}  // namespace topodb::capture
