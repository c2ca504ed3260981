#include "capture/cdp/protocol/emulation.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::emulation {

std::string SetVirtualTimePolicy::Params() const {
  return ObjectWriter()
      .String("policy", policy)
      .Optional("budget", budget_ms)
      .Optional("maxVirtualTimeTaskStarvationCount", max_task_starvation_count)
      .Optional("initialVirtualTime", initial_time_s)
      .Take();
}

Result<SetVirtualTimePolicy::Reply> SetVirtualTimePolicy::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.ticks_base = fields.Double("virtualTimeTicksBase")});
}

std::string SetDeviceMetricsOverride::Params() const {
  return ObjectWriter()
      .Int("width", width)
      .Int("height", height)
      .Double("deviceScaleFactor", device_scale_factor)
      .Bool("mobile", mobile)
      .Take();
}

std::string SetLocaleOverride::Params() const {
  return ObjectWriter().String("locale", locale).Take();
}

std::string SetUserAgentOverride::Params() const {
  return ObjectWriter().String("userAgent", user_agent).Take();
}

std::string SetTimezoneOverride::Params() const {
  return ObjectWriter().String("timezoneId", timezone_id).Take();
}

std::string SetEmulatedMedia::Params() const {
  std::vector<std::string> written;
  for (const auto& [name, value] : features) {
    written.push_back(ObjectWriter().String("name", name).String("value", value).Take());
  }
  return ObjectWriter().Optional("media", media).RawArray("features", written).Take();
}

std::string SetFocusEmulationEnabled::Params() const {
  return ObjectWriter().Bool("enabled", enabled).Take();
}

Result<VirtualTimeBudgetExpired> VirtualTimeBudgetExpired::Parse(std::string_view /*params*/) {
  return VirtualTimeBudgetExpired{};
}

}  // namespace topodb::capture::cdp::emulation
