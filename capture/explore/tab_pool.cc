#include "capture/explore/tab_pool.h"

namespace topodb::capture {

TabPool::~TabPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TabPool::Grow() {
  if (may_grow()) Add(nullptr);
}

void TabPool::Add(PageDriver* page) {
  threads_.emplace_back([this, page] { Serve(page); });
}

void TabPool::Enqueue(Job job, Place place) {
  const std::lock_guard lock(mutex_);
  queue_.insert(place == Place::kNext ? queue_.begin() : queue_.end(), std::move(job));
  wake_.notify_one();
}

void TabPool::Serve(PageDriver* page) {
  if (page == nullptr) {
    const std::lock_guard opening(opening_);
    const auto opened = tabs_.open_another();
    if (!opened) return;
    page = *opened;
  }
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const Job job = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    job(*page);
    lock.lock();
  }
}

}  // namespace topodb::capture
