#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/exchange/document.h"
#include "schema/base/ids.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::query {

// What an import remembers of a document: ids and references, not the records.
class ImportIndex {
 public:
  static constexpr uint32_t kNoState = 0xFFFFFFFF;

  void Add(const State& state);
  void Add(const Landmark& landmark);
  void Add(const Element& element);
  void Add(const ActionEdge& edge);
  void Add(const SkippedAction& skip);
  void Add(const FailedObservation& failure);
  void Add(const CompletionObservation& observation);

  // To be called once, after the last Add. kInvalidArgument when an id of one kind stands twice;
  // names both places.
  Status Close();

  // Where a reference leads nowhere: "edges[3].fromStateId".
  struct Dangling {
    uint64_t count = 0;
    std::string first;
  };
  // References to states that are not there, and to elements and edges.
  const Dangling& dangling_states() const { return dangling_states_; }
  const Dangling& dangling_others() const { return dangling_others_; }

  // Records of a section in the order of their states, inside a state as in the document; those of
  // no state, or of one that is not there, at the end.
  struct Placed {
    uint32_t state = kNoState;  // index in the section of states
    uint32_t record = 0;        // index in its own section
  };
  std::vector<Placed> ByState(Section section) const;

  uint64_t CountOf(Section section) const { return Of(section).ids.size(); }

 private:
  using IdAt = std::pair<IdBytes, uint32_t>;

  struct Records {
    std::vector<IdAt> ids;                       // sorted by Close()
    std::vector<std::optional<IdBytes>> states;  // each record's state
  };

  struct Reference {
    IdBytes to{};
    Section target = Section::kElements;
    Section section = Section::kEdges;
    std::string_view field;
    uint32_t record = 0;
  };

  Records& Of(Section section) { return records_.at(static_cast<size_t>(section)); }
  const Records& Of(Section section) const { return records_.at(static_cast<size_t>(section)); }
  void AddRecord(Section section, const IdBytes& id, std::optional<IdBytes> state);
  void Refer(Section section, std::string_view field, Section target, const IdBytes& to);
  std::optional<uint32_t> Find(Section section, const IdBytes& id) const;
  void FindDangling(Section section, std::string_view state_field);

  std::array<Records, kSections.size()> records_;
  std::vector<IdAt> landmarks_;
  std::vector<Reference> references_;
  Dangling dangling_states_, dangling_others_;
};

// "elements[7]".
std::string PlaceOf(Section section, size_t record);

}  // namespace topodb::query
