#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capture/explore/judgement.h"

namespace topodb::capture {

struct FrontierLimits {
  uint32_t max_depth = 1;         // actions on a path
  uint32_t max_per_template = 3;  // states of one template that are explored
};

// What to try next: breadth first, states in the order of their discovery, elements in document
// order. Decides which states are explored at all.
class Frontier {
 public:
  explicit Frontier(FrontierLimits limits) : limits_(limits) {}

  // Takes the candidates of a state `depth` actions away from the entry. States of equal
  // `template_key` share one budget. False when a limit keeps the state from being explored.
  bool Offer(uint32_t depth, const std::string& template_key, std::vector<Candidate> candidates);

  // nullopt when nothing is left.
  std::optional<Candidate> Pop();

  size_t size() const { return queue_.size(); }
  // Whether the limit kept a candidate out.
  bool depth_hit() const { return depth_hit_; }
  bool template_hit() const { return template_hit_; }

 private:
  FrontierLimits limits_;
  std::deque<Candidate> queue_;
  std::map<std::string, uint32_t> explored_;  // states by template
  bool depth_hit_ = false, template_hit_ = false;
};

}  // namespace topodb::capture
