#include "cli/references.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/terminal.h"

namespace topodb::cli {
namespace {

constexpr size_t kMaxCandidates = 10;
constexpr size_t kMaxFound = 1000;  // of any kind
constexpr size_t kShortDigits = 8;

std::string Line(const State& state, query::IdText& id_text) {
  return fmt::format("\n{}  {}  {}", ShortId(id_text(state.id)), ForTerminal(state.url),
                     ForTerminal(state.title));
}

std::string Lines(const std::vector<const State*>& states, query::IdText& id_text) {
  std::string lines;
  for (const State* state : states) lines += Line(*state, id_text);
  return lines;
}

}  // namespace

Result<StateId> FindState(const store::GraphReader& reader, const store::StoredRun& run,
                          std::string_view reference) {
  TOPODB_TRY(const std::vector<State> states, reader.States(run.number));
  if (states.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("run '{}' has no states", run.run.id.ToString()),
                 ""};
  }
  if (reference == "entry") return states.front().id;

  query::IdText id_text(reader, run);
  std::vector<const State*> matches;
  for (const State& state : states) {
    const std::string text = id_text(state.id);
    const bool by_prefix = text.starts_with(reference) ||
                           (text.starts_with(StateId::kPrefix) &&
                            text.substr(StateId::kPrefix.size()).starts_with(reference));
    if (!reference.empty() && (by_prefix || state.url == reference)) matches.push_back(&state);
  }
  TOPODB_TRY_VOID(id_text.status());
  if (matches.size() == 1) return matches.front()->id;

  const bool none = matches.empty();
  const size_t total = none ? states.size() : matches.size();
  if (none) {
    for (const State& state : states) matches.push_back(&state);
  }
  matches.resize(std::min(matches.size(), kMaxCandidates));
  return Error{
      none ? ErrorCode::kNotFound : ErrorCode::kAmbiguous,
      fmt::format("{} state of run {} is named '{}'", none ? "no" : "more than one",
                  ShortId(run.run.id.ToString()), reference),
      fmt::format("{}:{}", none ? "its states" : "candidates", Lines(matches, id_text)) +
          (total > kMaxCandidates ? fmt::format("\nand {} more", total - kMaxCandidates) : "")};
}

Result<IdBytes> FindRecord(const store::GraphReader& reader, const store::StoredRun& run,
                           store::RecordKind kind, std::string_view prefix) {
  TOPODB_TRY(std::vector<store::FoundRecord> found,
             reader.FindByIdPrefix(prefix, run.number, kMaxFound));
  std::erase_if(found, [&](const store::FoundRecord& record) { return record.kind != kind; });
  if (found.size() == 1) return found.front().id;
  return Error{found.empty() ? ErrorCode::kNotFound : ErrorCode::kAmbiguous,
               fmt::format("{} record of run {} has the id '{}'",
                           found.empty() ? "no such" : "more than one",
                           ShortId(run.run.id.ToString()), prefix),
               found.empty() ? "" : "give more digits"};
}

std::string ShortId(std::string_view id_text) {
  const size_t digits = id_text.rfind('_') + 1;  // npos + 1 is 0: no prefix
  if (!FromHex(id_text.substr(digits))) return std::string(id_text);
  return std::string(id_text.substr(0, digits + kShortDigits));
}

std::string BareShortId(std::string_view id_text) {
  const std::string text = ShortId(id_text);
  return text.size() < id_text.size() ? text.substr(text.size() - kShortDigits) : text;
}

}  // namespace topodb::cli
