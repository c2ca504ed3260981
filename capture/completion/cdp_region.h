#pragma once

#include <string>
#include <vector>

#include "capture/browser/page_log.h"
#include "capture/browser/target_watch.h"
#include "capture/completion/region_page.h"

namespace topodb::capture {

// The region of a real page: of its main frame's document. A document in which topodb's scripts
// cannot be called right now cannot be read right now.
class CdpRegion final : public RegionPage {
 public:
  // Both are the page's, and must outlive it.
  CdpRegion(TargetWatch& watch, PageLog& log) : watch_(watch), log_(log) {}

  Result<RegionReading> Read(const RegionQuery& query, Millis limit) override;
  Result<std::vector<uint32_t>> FindElements(const std::string& selector, Millis limit) override;
  Status Type(const std::string& text, Millis limit) override;
  void AwaitChange(Millis limit) override;
  void Rest(Millis time) override;
  Result<std::string> Copy(const RegionProfile& profile, const Completion& proven,
                           Millis limit) override;
  Result<ImageBytes> FetchImage(const std::string& source, Millis limit) override;

 private:
  Result<FrameWorld> World() const;
  // Evaluates in topodb's world; the value as JSON text.
  Result<std::string> Ask(const std::string& expression, Millis limit);

  TargetWatch& watch_;
  PageLog& log_;
  uint64_t changes_seen_ = 0;
};

}  // namespace topodb::capture
