#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::emulation {

struct SetVirtualTimePolicy {
  static constexpr std::string_view kMethod = "Emulation.setVirtualTimePolicy";
  std::string policy;  // advance | pause | pauseIfNetworkFetchesPending
  std::optional<double> budget_ms = std::nullopt;
  std::optional<int> max_task_starvation_count = std::nullopt;
  std::optional<double> initial_time_s = std::nullopt;  // seconds since 1970
  std::string Params() const;
  struct Reply {
    double ticks_base = 0;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct SetDeviceMetricsOverride {
  static constexpr std::string_view kMethod = "Emulation.setDeviceMetricsOverride";
  int width = 0, height = 0;
  double device_scale_factor = 1;
  bool mobile = false;
  std::string Params() const;
  using Reply = Empty;
};

struct SetLocaleOverride {
  static constexpr std::string_view kMethod = "Emulation.setLocaleOverride";
  std::string locale;  // ICU style: "en_US"
  std::string Params() const;
  using Reply = Empty;
};

struct SetUserAgentOverride {
  static constexpr std::string_view kMethod = "Emulation.setUserAgentOverride";
  std::string user_agent;
  std::string Params() const;
  using Reply = Empty;
};

struct SetTimezoneOverride {
  static constexpr std::string_view kMethod = "Emulation.setTimezoneOverride";
  std::string timezone_id;  // "Europe/Berlin"
  std::string Params() const;
  using Reply = Empty;
};

struct SetEmulatedMedia {
  static constexpr std::string_view kMethod = "Emulation.setEmulatedMedia";
  std::optional<std::string> media = std::nullopt;
  std::vector<std::pair<std::string, std::string>> features = {};  // name, value
  std::string Params() const;
  using Reply = Empty;
};

struct SetFocusEmulationEnabled {
  static constexpr std::string_view kMethod = "Emulation.setFocusEmulationEnabled";
  bool enabled = true;
  std::string Params() const;
  using Reply = Empty;
};

struct VirtualTimeBudgetExpired {
  static constexpr std::string_view kMethod = "Emulation.virtualTimeBudgetExpired";
  bool operator==(const VirtualTimeBudgetExpired&) const = default;
  static Result<VirtualTimeBudgetExpired> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::emulation
