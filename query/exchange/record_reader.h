#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "query/script/script.h"
#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "schema/model.h"

namespace topodb::query {

// What stands for an imported id in the records.
IdBytes ForeignIdBytes(std::string_view text);

// Reads records from their JSON form (record_fields.h). Every error is kInvalidArgument and names
// the field: "elements[3].role: expected a string, found a number".
class RecordReader {
 public:
  // How ids are read: as our own, or as whatever string they are.
  explicit RecordReader(IdScheme scheme) : scheme_(scheme) {}

  // `where` names the record: "elements[3]".
  Result<Run> ReadRun(const boost::json::value& json, std::string_view where);
  Result<StateBundle> ReadState(const boost::json::value& json, std::string_view where);
  Result<Element> ReadElement(const boost::json::value& json, std::string_view where);
  Result<ActionEdge> ReadEdge(const boost::json::value& json, std::string_view where);
  Result<SkippedAction> ReadSkip(const boost::json::value& json, std::string_view where);
  Result<FailedObservation> ReadFailure(const boost::json::value& json, std::string_view where);
  Result<CompletionObservation> ReadObservation(const boost::json::value& json,
                                                std::string_view where);
  Result<script::TargetRecord> ReadTarget(const boost::json::value& json, std::string_view where);

  // The texts of the foreign ids read since the last call, each once.
  std::vector<ForeignId> TakeForeignIds();

  // Fields that are not of the shape were passed over: how many, and the first one.
  uint64_t unknown_fields() const { return unknown_fields_; }
  const std::string& first_unknown_field() const { return first_unknown_field_; }

 private:
  friend class ReadArchive;

  template <class Fields>
  Status Read(const boost::json::value& json, std::string_view where, const Fields& fields);

  IdScheme scheme_;
  std::optional<std::string> problem_;  // the first one in the record being read
  std::vector<ForeignId> foreign_ids_;
  uint64_t unknown_fields_ = 0;
  std::string first_unknown_field_;
};

}  // namespace topodb::query
