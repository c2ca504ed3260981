#include "query/exchange/import_json.h"

#include <utility>

#include <fmt/format.h>

#include "query/exchange/document.h"
#include "query/exchange/import_index.h"
#include "query/exchange/record_reader.h"
#include "schema/names.h"

namespace topodb::query {
namespace {

namespace json = boost::json;

Error Bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message), {}}; }

// Reads the records of one document by their number, as often as asked.
class DocumentReader {
 public:
  DocumentReader(TextSource& source, const Document& document, IdScheme scheme)
      : source_(source), document_(document), records_(scheme) {}

  Result<StateBundle> State(size_t i) {
    return Read(Section::kStates, i, &RecordReader::ReadState);
  }
  Result<topodb::Element> Element(size_t i) {
    return Read(Section::kElements, i, &RecordReader::ReadElement);
  }
  Result<ActionEdge> Edge(size_t i) { return Read(Section::kEdges, i, &RecordReader::ReadEdge); }
  Result<SkippedAction> Skip(size_t i) { return Read(Section::kSkips, i, &RecordReader::ReadSkip); }
  Result<FailedObservation> Failure(size_t i) {
    return Read(Section::kFailures, i, &RecordReader::ReadFailure);
  }
  Result<CompletionObservation> Observation(size_t i) {
    return Read(Section::kObservations, i, &RecordReader::ReadObservation);
  }

  RecordReader& records() { return records_; }

 private:
  template <class Record>
  Result<Record> Read(Section section, size_t i,
                      Result<Record> (RecordReader::*read)(const json::value&, std::string_view)) {
    const Span& span = document_.Of(section).at(i);
    TOPODB_TRY(const json::value value, ReadValue(source_, span));
    Result<Record> record = (records_.*read)(value, PlaceOf(section, i));
    if (!record) return ErrorAt(source_, span.offset, record.error().message);
    return record;
  }

  TextSource& source_;
  const Document& document_;
  RecordReader records_;
};

Result<IdScheme> SchemeOf(const json::value& metadata) {
  const json::object* object = metadata.if_object();
  if (object == nullptr) return Bad("metadata: expected an object");
  const json::value* field = object->if_contains("idScheme");
  if (field == nullptr) return IdScheme::kForeign;
  const json::string* text = field->if_string();
  const auto scheme =
      text == nullptr ? std::nullopt : Parse<IdScheme>({text->data(), text->size()});
  if (!scheme) return Bad("metadata.idScheme: expected \"topodb-1\" or \"foreign\"");
  return *scheme;
}

Status CheckVersions(const json::value& schema_version, const Run& run) {
  const Run ours;
  const json::string* text = schema_version.if_string();
  if (text == nullptr) return Bad("schemaVersion: expected a string");
  if (std::string_view(text->data(), text->size()) != ours.schema_version) {
    return Bad(fmt::format("schemaVersion: expected \"{}\", found \"{}\"", ours.schema_version,
                           std::string_view(text->data(), text->size())));
  }
  if (run.artifact_version != ours.artifact_version) {
    return Bad(fmt::format("metadata.artifactVersion: expected \"{}\", found \"{}\"",
                           ours.artifact_version, run.artifact_version));
  }
  return {};
}

class Importer {
 public:
  Importer(TextSource& source, const ImportOptions& options, Document document, IdScheme scheme)
      : source_(source),
        options_(options),
        document_(std::move(document)),
        reader_(source, document_, scheme) {}

  // Checks the whole document.
  Status Check(const json::value& metadata) {
    TOPODB_TRY(run_, reader_.records().ReadRun(metadata, "metadata"));
    TOPODB_TRY(const auto schema_version, ReadValue(source_, document_.schema_version));
    TOPODB_TRY_VOID(CheckVersions(schema_version, run_));
    if (run_.id.is_zero()) return Bad("metadata.crawlSessionId: missing");
    if (run_.status == RunStatus::kRunning) return Bad("metadata.status: the run has not ended");
    if (!options_.name.empty()) run_.name = options_.name;
    run_ids_ = reader_.records().TakeForeignIds();
    TOPODB_TRY_VOID(IndexRecords());
    TOPODB_TRY_VOID(CheckReferences());
    NoteUnknown();
    NoteCounts();
    if (options_.strictness == ImportStrictness::kRefuse && !report_.warnings.empty()) {
      return Bad(report_.warnings.front());
    }
    return {};
  }

  Result<ImportReport> Write(GraphSink& sink) {
    TOPODB_TRY_VOID(sink.BeginRun(run_));
    if (Status status = WriteRecords(sink); !status) {
      // The first error is the one to tell; what a failed discard leaves is an unpublished draft.
      static_cast<void>(sink.DiscardRun());
      return std::move(status).error();
    }
    report_.run = run_.id;
    return std::move(report_);
  }

 private:
  Status IndexRecords() {
    for (size_t i = 0; i < document_.Of(Section::kStates).size(); ++i) {
      TOPODB_TRY(const StateBundle bundle, reader_.State(i));
      index_.Add(bundle.state);
      for (const Landmark& landmark : bundle.landmarks) index_.Add(landmark);
      reader_.records().TakeForeignIds();
    }
    TOPODB_TRY_VOID(IndexSection(Section::kElements, &DocumentReader::Element));
    TOPODB_TRY_VOID(IndexSection(Section::kEdges, &DocumentReader::Edge));
    TOPODB_TRY_VOID(IndexSection(Section::kSkips, &DocumentReader::Skip));
    TOPODB_TRY_VOID(IndexSection(Section::kFailures, &DocumentReader::Failure));
    TOPODB_TRY_VOID(IndexSection(Section::kObservations, &DocumentReader::Observation));
    return index_.Close();
  }

  template <class Record>
  Status IndexSection(Section section, Result<Record> (DocumentReader::*read)(size_t)) {
    for (size_t i = 0; i < document_.Of(section).size(); ++i) {
      TOPODB_TRY(const Record record, (reader_.*read)(i));
      index_.Add(record);
      reader_.records().TakeForeignIds();
    }
    return {};
  }

  Status CheckReferences() {
    const ImportIndex::Dangling& states = index_.dangling_states();
    const ImportIndex::Dangling& others = index_.dangling_others();
    if (states.count > 0 && run_.id_scheme != IdScheme::kForeign) {
      return Bad(states.first + ": no such state in the document");
    }
    const bool orphans =
        !document_.Of(Section::kElements).empty() || !document_.Of(Section::kSkips).empty();
    if (document_.Of(Section::kStates).empty() && orphans) {
      return Bad("states: expected at least one, elements and skipped actions belong to states");
    }
    report_.dangling_references = states.count + others.count;
    if (report_.dangling_references > 0) {
      report_.warnings.push_back(
          fmt::format("{} references lead to nothing in the document, the first is {}",
                      report_.dangling_references, states.count > 0 ? states.first : others.first));
    }
    return {};
  }

  void NoteUnknown() {
    for (const std::string& name : document_.unknown) {
      report_.warnings.push_back(fmt::format("{}: not part of the shape, left out", name));
    }
    if (const uint64_t count = reader_.records().unknown_fields(); count > 0) {
      report_.warnings.push_back(
          fmt::format("{} fields are not part of the shape and left out, the first is {}", count,
                      reader_.records().first_unknown_field()));
    }
  }

  void NoteCounts() {
    report_.counts = {.states = index_.CountOf(Section::kStates),
                      .elements = index_.CountOf(Section::kElements),
                      .edges = index_.CountOf(Section::kEdges),
                      .skipped_actions = index_.CountOf(Section::kSkips),
                      .failed_observations = index_.CountOf(Section::kFailures),
                      .observations = index_.CountOf(Section::kObservations)};
    const bool counted = run_.counts != RunCounts();
    if (counted && run_.counts != report_.counts) {
      report_.warnings.push_back("metadata.counts: the document holds other numbers of records");
    }
  }

  Status WriteRecords(GraphSink& sink) {
    if (run_.id_scheme == IdScheme::kForeign) TOPODB_TRY_VOID(sink.AddForeignIds(run_ids_));
    TOPODB_TRY_VOID(WriteStates(sink));
    for (size_t i = 0; i < document_.Of(Section::kEdges).size(); ++i) {
      TOPODB_TRY(ActionEdge edge, reader_.Edge(i));
      TOPODB_TRY_VOID(WriteForeignIds(sink));
      TOPODB_TRY_VOID(sink.AddTransition({.edge = std::move(edge), .new_state = std::nullopt}));
    }
    for (size_t i = 0; i < document_.Of(Section::kObservations).size(); ++i) {
      TOPODB_TRY(const CompletionObservation observation, reader_.Observation(i));
      TOPODB_TRY_VOID(WriteForeignIds(sink));
      TOPODB_TRY_VOID(sink.AddCompletion(observation));
    }
    return sink.EndRun(run_);
  }

  // Every state with what belongs to it; what belongs to no state of the document comes last.
  Status WriteStates(GraphSink& sink) {
    Belongings<topodb::Element> elements{index_.ByState(Section::kElements)};
    Belongings<SkippedAction> skips{index_.ByState(Section::kSkips)};
    Belongings<FailedObservation> failures{index_.ByState(Section::kFailures)};
    const auto states = static_cast<uint32_t>(document_.Of(Section::kStates).size());
    for (uint32_t i = 0; i < states; ++i) {
      TOPODB_TRY(StateBundle bundle, reader_.State(i));
      const uint32_t last = i + 1 == states ? ImportIndex::kNoState : i;
      TOPODB_TRY_VOID(Take(elements, last, &DocumentReader::Element, bundle.elements));
      TOPODB_TRY_VOID(Take(skips, last, &DocumentReader::Skip, bundle.skips));
      TOPODB_TRY_VOID(Take(failures, i, &DocumentReader::Failure, bundle.failures));
      TOPODB_TRY_VOID(WriteForeignIds(sink));
      TOPODB_TRY_VOID(sink.AddState(bundle));
    }
    std::vector<FailedObservation> rest;
    TOPODB_TRY_VOID(Take(failures, ImportIndex::kNoState, &DocumentReader::Failure, rest));
    TOPODB_TRY_VOID(WriteForeignIds(sink));
    for (const FailedObservation& failure : rest) TOPODB_TRY_VOID(sink.AddFailure(failure));
    return {};
  }

  // Records of one section in the order of their states, taken from the front.
  template <class Record>
  struct Belongings {
    std::vector<ImportIndex::Placed> placed;
    size_t taken = 0;
  };

  // Reads those that belong to a state up to `last_state`.
  template <class Record>
  Status Take(Belongings<Record>& from, uint32_t last_state,
              Result<Record> (DocumentReader::*read)(size_t), std::vector<Record>& records) {
    while (from.taken < from.placed.size() && from.placed[from.taken].state <= last_state) {
      TOPODB_TRY(Record record, (reader_.*read)(from.placed[from.taken++].record));
      records.push_back(std::move(record));
    }
    return {};
  }

  Status WriteForeignIds(GraphSink& sink) {
    const std::vector<ForeignId> ids = reader_.records().TakeForeignIds();
    return ids.empty() ? Status() : sink.AddForeignIds(ids);
  }

  TextSource& source_;
  const ImportOptions& options_;
  const Document document_;
  DocumentReader reader_;
  ImportIndex index_;
  Run run_;
  std::vector<ForeignId> run_ids_;
  ImportReport report_;
};

}  // namespace

Result<ImportReport> ImportJson(TextSource& source, const ImportOptions& options, GraphSink& sink) {
  TOPODB_TRY(Document document, ScanDocument(source));
  TOPODB_TRY(const json::value metadata, ReadValue(source, document.metadata));
  TOPODB_TRY(const IdScheme scheme, SchemeOf(metadata));
  Importer importer(source, options, std::move(document), scheme);
  TOPODB_TRY_VOID(importer.Check(metadata));
  return importer.Write(sink);
}

}  // namespace topodb::query
