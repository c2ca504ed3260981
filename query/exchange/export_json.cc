#include "query/exchange/export_json.h"

#include <ostream>
#include <string>
#include <utility>

#include "query/record_scan.h"

namespace topodb::query {
namespace {

using store::Kind;

// Text is handed on in pieces of about this size.
constexpr size_t kPieceBytes = size_t{64} << 10U;

class Exporter {
 public:
  Exporter(const store::GraphReader& reader, const store::StoredRun& run,
           const ExportOptions& options, const TextSink& sink)
      : reader_(reader), run_(run), options_(options), sink_(sink), ids_(reader, run) {}

  Status Write() {
    const bool document = options_.layout == JsonLayout::kDocument;
    if (document) BeginDocument();
    TOPODB_TRY_VOID(Record("run", [&](JsonWriter& json, const RecordStyle& style) {
      WriteJson(json, run_.run, style);
    }));
    TOPODB_TRY_VOID(States());
    TOPODB_TRY_VOID(Section<Element>("elements", "element", Kind::kElement));
    TOPODB_TRY_VOID(Section<ActionEdge>("edges", "edge", Kind::kEdge));
    TOPODB_TRY_VOID(Section<SkippedAction>("skippedActions", "skip", Kind::kSkip));
    TOPODB_TRY_VOID(Section<FailedObservation>("failedObservations", "failure", Kind::kFailure));
    if (run_.run.counts.observations > 0) {
      TOPODB_TRY_VOID(
          Section<CompletionObservation>("observations", "observation", Kind::kObservation));
    }
    if (document) text_ += "\n}\n";
    return HandOn();
  }

 private:
  void BeginDocument() {
    text_ += "{\n  \"schemaVersion\":";
    AppendJsonString(run_.run.schema_version, text_);
    text_ += ",\n  \"metadata\":";
  }

  void BeginSection(std::string_view name) {
    first_in_section_ = true;
    if (options_.layout == JsonLayout::kDocument) {
      text_ += ",\n  ";
      AppendJsonString(name, text_);
      text_ += ":[";
    }
  }

  void EndSection() {
    if (options_.layout == JsonLayout::kDocument) text_ += first_in_section_ ? "]" : "\n  ]";
  }

  // One record of a section, on a line of its own.
  template <class WriteOne>
  Status Item(std::string_view kind, const WriteOne& write) {
    if (options_.layout == JsonLayout::kDocument) text_ += first_in_section_ ? "\n    " : ",\n    ";
    first_in_section_ = false;
    return Record(kind, write);
  }

  template <class WriteOne>
  Status Record(std::string_view kind, const WriteOne& write) {
    JsonWriter json(text_);
    const bool lines = options_.layout == JsonLayout::kLines;
    write(json, RecordStyle{.ids = ids_,
                            .volatile_fields = options_.volatile_fields,
                            .kind = lines ? kind : std::string_view()});
    if (lines) text_ += '\n';
    TOPODB_TRY_VOID(ids_.status());
    return text_.size() < kPieceBytes ? Status() : HandOn();
  }

  Status HandOn() {
    const Status status = sink_(text_);
    text_.clear();
    return status;
  }

  Status States() {
    BeginSection("states");
    const store::Kv& kv = reader_.kv();
    TOPODB_TRY_VOID(ForEachRecord<State>(
        kv, store::RangeOf(Kind::kState, run_.number),
        [&](const store::Key& key, const State& state) -> Status {
          TOPODB_TRY(const std::vector<Landmark> landmarks,
                     RecordsOf<Landmark>(kv, run_.number, key.state));
          return Item("state", [&](JsonWriter& json, const RecordStyle& style) {
            WriteJson(json, state, landmarks, style);
          });
        }));
    EndSection();
    return {};
  }

  template <class T>
  Status Section(std::string_view name, std::string_view kind, Kind stored_kind) {
    BeginSection(name);
    TOPODB_TRY_VOID(ForEachRecord<T>(reader_.kv(), store::RangeOf(stored_kind, run_.number),
                                     [&](const store::Key& /*key*/, const T& record) {
                                       return Item(kind,
                                                   [&](JsonWriter& json, const RecordStyle& style) {
                                                     WriteJson(json, record, style);
                                                   });
                                     }));
    EndSection();
    return {};
  }

  const store::GraphReader& reader_;
  const store::StoredRun& run_;
  const ExportOptions& options_;
  const TextSink& sink_;
  IdText ids_;
  std::string text_;
  bool first_in_section_ = true;
};

}  // namespace

TextSink ToStream(std::ostream& out) {
  return [&out](std::string_view text) -> Status {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out) return Error{ErrorCode::kIo, "cannot write the output", {}};
    return {};
  };
}

Status ExportJson(const store::GraphReader& reader, const store::StoredRun& run,
                  const ExportOptions& options, const TextSink& sink) {
  return Exporter(reader, run, options, sink).Write();
}

}  // namespace topodb::query
