#include "query/each_record.h"

#include <algorithm>
#include <utility>

#include "schema/base/text.h"
#include "schema/codec.h"
#include "store/keys.h"
#include "store/lookup.h"

namespace topodb::query {
namespace {

using store::Kind;

// Whether the index may hold only the beginning of this text.
bool MayBeCut(std::string_view text) {
  constexpr size_t kLongestCodePoint = 4;
  return text.size() + kLongestCodePoint > store::kMaxIndexedText;
}

Result<Element> ElementAt(const store::Kv& kv, store::RunNumber run, const ElementPlace& place) {
  TOPODB_TRY(const std::string bytes,
             store::GetStored(kv, Kind::kElement, run, place.state, place.ordinal));
  return Decode<Element>(bytes);
}

}  // namespace

template <class Record>
Status EachRecord(const store::GraphReader& reader, store::RunNumber run,
                  const UseRecord<Record>& use) {
  return ScanRecords<Record>(
      reader.kv(), store::RangeOf(kKindOf<Record>, run),
      [&](const store::Key& /*key*/, const Record& record) { return use(record); });
}

template Status EachRecord(const store::GraphReader&, store::RunNumber, const UseRecord<State>&);
template Status EachRecord(const store::GraphReader&, store::RunNumber, const UseRecord<Element>&);
template Status EachRecord(const store::GraphReader&, store::RunNumber,
                           const UseRecord<ActionEdge>&);
template Status EachRecord(const store::GraphReader&, store::RunNumber,
                           const UseRecord<SkippedAction>&);
template Status EachRecord(const store::GraphReader&, store::RunNumber,
                           const UseRecord<FailedObservation>&);
template Status EachRecord(const store::GraphReader&, store::RunNumber,
                           const UseRecord<CompletionObservation>&);

bool NameMatches(const std::string& name, const std::string& part) {
  return FoldName(name).find(FoldName(part)) != std::string::npos;
}

Result<std::vector<ElementPlace>> FindElements(const store::GraphReader& reader,
                                               store::RunNumber run, const ElementSearch& search) {
  const std::string part = FoldName(search.name);
  const store::KeyRange range = search.role.empty() ? store::RangeOf(Kind::kElementByName, run)
                                                    : store::RoleRange(run, search.role);
  std::vector<ElementPlace> places;
  const auto row = reader.kv().Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
    const ElementPlace place = {key.state, key.ordinal};
    bool found = key.name.find(part) != std::string::npos;
    const bool cut = (!found && MayBeCut(key.name)) || MayBeCut(key.text);
    if (cut) {
      TOPODB_TRY(const Element element, ElementAt(reader.kv(), run, place));
      found = (search.role.empty() || element.role == search.role) &&
              NameMatches(element.accessible_name.value_or(""), search.name);
    }
    if (found) places.push_back(place);
  }
  TOPODB_TRY_VOID(row->status());
  std::ranges::sort(places);
  return places;
}

Status EachElement(const store::GraphReader& reader, store::RunNumber run,
                   const std::vector<ElementPlace>& places, const UseRecord<Element>& use) {
  for (const ElementPlace& place : places) {
    TOPODB_TRY(const Element element, ElementAt(reader.kv(), run, place));
    TOPODB_TRY(const Walk walk, use(element));
    if (walk == Walk::kStop) break;
  }
  return {};
}

}  // namespace topodb::query
