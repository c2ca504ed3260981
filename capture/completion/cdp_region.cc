#include "capture/completion/cdp_region.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/page_answer.h"
#include "capture/cdp/json.h"
#include "capture/cdp/protocol/input.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {
namespace {

namespace runtime = cdp::runtime;
using SteadyClock = std::chrono::steady_clock;

// In the page's own world: what would go to the clipboard comes here instead, until take() returns.
constexpr std::string_view kInterceptCopy = R"js((() => {
  const proto = globalThis.Clipboard && Clipboard.prototype;
  const before = proto && ['writeText', 'write'].map((name) => [name, Object.getOwnPropertyDescriptor(proto, name)]);
  let text = null;
  let wake = () => {};
  const give = (given) => { if (text === null) text = String(given); wake(); };
  if (proto) {
    proto.writeText = async (given) => give(given);
    proto.write = async (items) => {
      for (const item of items) if (item.types.includes('text/plain')) give(await (await item.getType('text/plain')).text());
    };
  }
  const onCopy = (event) => {
    const field = document.activeElement;
    const selected = field && typeof field.value === 'string' ? field.value.slice(field.selectionStart, field.selectionEnd) : String(getSelection());
    give((event.clipboardData && event.clipboardData.getData('text/plain')) || selected);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('copy', onCopy);
  const restore = () => {
    removeEventListener('copy', onCopy);
    for (const [name, descriptor] of before || []) if (descriptor) Object.defineProperty(proto, name, descriptor);
  };
  return {
    restore,
    take: (limit) => new Promise((resolve) => {
      wake = () => { if (text !== null) { restore(); resolve(text); } };
      setTimeout(() => { restore(); resolve(text); }, limit);
      wake();
    }),
  };
})())js";

// Null when it is no JSON.
std::unique_ptr<PageAnswer> ParsedAnswer(const std::string& json) {
  auto answer = PageAnswer::Parse(json);
  return answer ? *std::move(answer) : nullptr;
}

// kProtocol with the reason of an answer that is {ok: false}.
Status RequireOk(const PageAnswer* answer) {
  if (answer != nullptr && answer->Flag("ok")) return {};
  const std::string reason = answer == nullptr ? "" : answer->Text("reason");
  return Error{ErrorCode::kProtocol, reason.empty() ? "the page gave no answer" : reason, ""};
}

std::string IdText(const std::optional<std::string>& id) {
  return id ? cdp::QuoteJson(*id) : "null";
}

// The bytes of what the browser wrote as base64.
std::string FromBase64(std::string_view text) {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const size_t value = kLetters.find(c);
    if (value == std::string_view::npos) break;  // the padding
    bits = (bits << 6U | static_cast<uint32_t>(value)) & 0xFFFFU;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xFFU);
  }
  return bytes;
}

}  // namespace

Result<FrameWorld> CdpRegion::World() const {
  if (const auto closed = log_.closed()) return *closed;
  if (const auto world = watch_.WorldOf(watch_.main_frame_id())) return *world;
  return Error{ErrorCode::kProtocol, "the page has no document that can be asked", ""};
}

Result<std::string> CdpRegion::Ask(const std::string& expression, Millis limit) {
  TOPODB_TRY(const FrameWorld world, World());
  return AskPage(world, expression, limit);
}

Result<RegionReading> CdpRegion::Read(const RegionQuery& query, Millis limit) {
  (void)log_.WaitFor(
      [&](const PageLog::View& view) {
        changes_seen_ = view.region_changes;
        return true;
      },
      SteadyClock::now());
  TOPODB_TRY(const std::string answer,
             Ask(fmt::format("topodb.region.read({{profile:{},from:{},images:{}}})",
                             query.profile.json, query.from, query.images == ImagesWanted::kYes),
                 limit));
  return ParseRegionReading(answer);
}

Result<std::vector<uint32_t>> CdpRegion::FindElements(const std::string& selector, Millis limit) {
  TOPODB_TRY(const std::string json,
             Ask(fmt::format("topodb.region.find({})", cdp::QuoteJson(selector)), limit));
  const auto answer = ParsedAnswer(json);
  simdjson::dom::array handles;
  if (!answer || answer->object["handles"].get(handles) != simdjson::SUCCESS) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is no selector", selector),
                 "write it as querySelector takes it, or as: button \"Send\""};
  }
  std::vector<uint32_t> out;
  for (const simdjson::dom::element handle : handles) {
    int64_t value = 0;
    if (handle.get(value) == simdjson::SUCCESS) out.push_back(static_cast<uint32_t>(value));
  }
  return out;
}

Status CdpRegion::Type(const std::string& text, Millis limit) {
  TOPODB_TRY(const std::string answer, Ask("topodb.region.select()", limit));
  TOPODB_TRY_VOID(RequireOk(ParsedAnswer(answer).get()));
  TOPODB_TRY(const FrameWorld world, World());
  TOPODB_TRY_VOID(world.session->Call(cdp::input::InsertText{.text = text}, limit));
  return {};
}

void CdpRegion::AwaitChange(Millis limit) {
  (void)log_.WaitFor([&](const PageLog::View& view) { return view.region_changes > changes_seen_; },
                     SteadyClock::now() + limit);
}

void CdpRegion::Rest(Millis time) {
  (void)log_.WaitFor([](const PageLog::View& /*view*/) { return false; },
                     SteadyClock::now() + time);
}

Result<std::string> CdpRegion::Copy(const RegionProfile& profile, const Completion& proven,
                                    Millis limit) {
  TOPODB_TRY(const FrameWorld world, World());
  const auto end = SteadyClock::now() + limit;
  const auto left = [&] {
    return std::max(Millis(1), std::chrono::duration_cast<Millis>(end - SteadyClock::now()));
  };
  TOPODB_TRY(
      const auto interceptor,
      world.session->Call(runtime::Evaluate{.expression = std::string(kInterceptCopy)}, left()));
  if (interceptor.exception || interceptor.result.object_id.empty()) {
    return Error{ErrorCode::kProtocol, "the clipboard cannot be watched", ""};
  }
  const auto on_interceptor = [&](std::string function) {
    return runtime::CallFunctionOn{.function_declaration = std::move(function),
                                   .object_id = interceptor.result.object_id,
                                   .return_by_value = true,
                                   .await_promise = true};
  };
  const auto clicked =
      Ask(fmt::format("topodb.region.copy({{profile:{},copy:{{index:{},messageId:{},turnId:{}}}}})",
                      profile.json, proven.turn_index, IdText(proven.message_id),
                      IdText(proven.turn_id)),
          left());
  Status done = clicked ? RequireOk(ParsedAnswer(*clicked).get()) : Status(clicked.error());
  if (!done) {
    world.session->Post(on_interceptor("function() { this.restore(); }"));
    return std::move(done).error();
  }
  TOPODB_TRY(const auto taken,
             world.session->Call(
                 on_interceptor(fmt::format("function() {{ return this.take({}); }}",
                                            std::max(Millis(1), left() - Millis(100)).count())),
                 left()));
  auto text = cdp::DecodeJsonString(taken.result.value_json);
  if (!text) return Error{ErrorCode::kProtocol, "nothing was copied", ""};
  return *std::move(text);
}

Result<ImageBytes> CdpRegion::FetchImage(const std::string& source, Millis limit) {
  TOPODB_TRY(const std::string json,
             Ask(fmt::format("topodb.region.image({})", cdp::QuoteJson(source)), limit));
  const auto image = ParsedAnswer(json);
  TOPODB_TRY_VOID(RequireOk(image.get()));
  return ImageBytes{.media_type = image->Text("type"), .bytes = FromBase64(image->Text("data"))};
}

}  // namespace topodb::capture
