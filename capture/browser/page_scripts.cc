#include "capture/browser/page_scripts.h"

#include <initializer_list>
#include <utility>

#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb {
// Embedded from capture/js/*.js.
extern const std::string_view kSnapshotJs;
extern const std::string_view kActJs;
extern const std::string_view kClockJs;
extern const std::string_view kCompletionJs;
extern const std::string_view kConfineJs;
extern const std::string_view kListenersJs;
extern const std::string_view kOutsideJs;
extern const std::string_view kShutJs;
extern const std::string_view kTimersJs;
}  // namespace topodb

namespace topodb::capture {
namespace {

std::string WithChannel(std::string script, std::string_view channel) {
  static constexpr std::string_view kPlaceholder = "@channel@";
  for (size_t at = script.find(kPlaceholder); at != std::string::npos;
       at = script.find(kPlaceholder, at + channel.size())) {
    script.replace(at, kPlaceholder.size(), channel);
  }
  return script;
}

}  // namespace

PageScripts MakePageScripts(std::string_view channel, ClockKind clock, GuardMode guard) {
  const std::string_view clock_script = clock == ClockKind::kVirtual ? kClockJs : kTimersJs;
  const auto joined = [&](std::initializer_list<std::string_view> scripts) {
    std::string all;
    for (const std::string_view script : scripts) all += script;
    return WithChannel(std::move(all), channel);
  };
  // Regions are waited for on the real clock only.
  const std::string_view region = clock == ClockKind::kReal ? kCompletionJs : std::string_view();
  const std::string_view shut = guard == GuardMode::kOff ? std::string_view() : kShutJs;
  return {.isolated = joined({kSnapshotJs, kActJs, region}),
          .main = joined({kListenersJs, kOutsideJs, clock_script, kConfineJs, shut}),
          .window = joined({kConfineJs, shut}),
          .worker = std::string(shut)};
}

void Install(const PageScripts& scripts, cdp::Session& session) {
  session.Post(cdp::runtime::AddBinding{.name = std::string(kSignalBinding),
                                        .execution_context_name = std::string(kWorldName)});
  session.Post(cdp::page::AddScriptToEvaluateOnNewDocument{
      .source = scripts.isolated, .world_name = std::string(kWorldName), .run_immediately = true});
  session.Post(cdp::page::AddScriptToEvaluateOnNewDocument{.source = scripts.main});
}

void InstallInWindow(const PageScripts& scripts, cdp::Session& session) {
  // Its empty document is there already.
  session.Post(cdp::page::AddScriptToEvaluateOnNewDocument{.source = scripts.window,
                                                           .run_immediately = true});
}

void InstallInWorker(const PageScripts& scripts, cdp::Session& session) {
  if (scripts.worker.empty()) return;
  // Has no context to evaluate in until it is asked for.
  session.Post(cdp::runtime::Enable{});
  session.Post(cdp::runtime::Evaluate{.expression = scripts.worker});
  session.Post(cdp::runtime::Disable{});
}

}  // namespace topodb::capture
