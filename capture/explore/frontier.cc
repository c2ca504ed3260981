#include "capture/explore/frontier.h"

#include <iterator>
#include <utility>

namespace topodb::capture {

bool Frontier::Offer(uint32_t depth, const std::string& template_key,
                     std::vector<Candidate> candidates) {
  if (depth >= limits_.max_depth) {
    depth_hit_ = depth_hit_ || !candidates.empty();
    return false;
  }
  if (candidates.empty()) return true;
  uint32_t& explored = explored_[template_key];
  if (explored >= limits_.max_per_template) {
    template_hit_ = true;
    return false;
  }
  ++explored;
  queue_.insert(queue_.end(), std::make_move_iterator(candidates.begin()),
                std::make_move_iterator(candidates.end()));
  return true;
}

std::optional<Candidate> Frontier::Pop() {
  if (queue_.empty()) return std::nullopt;
  Candidate next = std::move(queue_.front());
  queue_.pop_front();
  return next;
}

}  // namespace topodb::capture
