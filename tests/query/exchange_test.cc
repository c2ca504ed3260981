#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/exchange/export_json.h"
#include "query/exchange/import_json.h"
#include "query/exchange/json_text.h"
#include "store/graph_store.h"
#include "store/graph_writer.h"
#include "tests/support/files.h"
#include "tests/support/full_graph.h"
#include "tests/support/graph_builder.h"
#include "tests/support/mem_kv.h"

namespace topodb::query {
namespace {

using store::Durability;
using store::GraphReader;
using store::GraphWriter;
using ::testing::HasSubstr;
using testing::MemKv;

std::string Export(const GraphReader& reader, std::string_view run, const ExportOptions& options) {
  const auto stored = reader.FindRun(run);
  EXPECT_TRUE(stored) << stored.error().message;
  std::ostringstream out;
  const Status status = ExportJson(reader, *stored, options, ToStream(out));
  EXPECT_TRUE(status) << status.error().message;
  return out.str();
}

std::string Export(const store::Kv& kv, const ExportOptions& options = {}) {
  return Export(GraphReader(kv), "latest", options);
}

Result<ImportReport> Import(store::Kv& kv, std::string text, const ImportOptions& options = {}) {
  GraphWriter writer(kv, Durability::kProcess);
  const auto source = FromText(std::move(text));
  return ImportJson(*source, options, writer);
}

std::string FullDocument() {
  MemKv kv;
  GraphWriter writer(kv, Durability::kProcess);
  const Status status = testing::WriteFullGraph(writer);
  EXPECT_TRUE(status) << status.error().message;
  return Export(kv);
}

std::string SmallDocument() {
  MemKv kv;
  GraphWriter writer(kv, Durability::kProcess);
  EXPECT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("small")));
  return Export(kv);
}

std::string GoldenV02() {
  return testing::ReadFile(std::filesystem::path(TOPODB_SOURCE_DIR) /
                           "tests/golden/topology_graph_v02.json");
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(std::string::npos, at) << from;
  return text.replace(at, from.size(), to);
}

TEST(Exchange, ImportOfAnExportIsTheSameToTheByte) {
  const std::string document = FullDocument();
  MemKv kv;
  const auto report = Import(kv, document);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->warnings.empty()) << report->warnings.front();
  EXPECT_EQ((RunCounts{2, 4, 2, 1, 2, 2}), report->counts);
  EXPECT_EQ(document, Export(kv));
}

// Whoever writes a document by hand cannot make a text of what was never proven.
TEST(Exchange, ATextWithoutProofIsRefused) {
  MemKv kv;
  const auto report = Import(kv, Replaced(FullDocument(), R"("status":"deferred","text":null)",
                                          R"("status":"deferred","text":"an answer")"));
  ASSERT_FALSE(report);
  EXPECT_EQ(ErrorCode::kInvalidArgument, report.error().code);
  EXPECT_THAT(report.error().message, ::testing::HasSubstr("observations[1].text"));
}

TEST(Exchange, ImportStoresTheRowsOfTheOriginal) {
  MemKv original;
  GraphWriter writer(original, Durability::kProcess);
  ASSERT_TRUE(testing::WriteFullGraph(writer));
  MemKv imported;
  ASSERT_TRUE(Import(imported, Export(original)));
  EXPECT_EQ(original.Contents(), imported.Contents());
}

TEST(Exchange, RoundTripThroughRocksDb) {
  const std::filesystem::path directory =
      std::filesystem::path(::testing::TempDir()) / "topodb_exchange_test";
  std::filesystem::remove_all(directory);
  const std::string document = FullDocument();
  {
    auto opened = store::GraphStore::OpenForWrite(directory, {});
    ASSERT_TRUE(opened) << opened.error().message;
    const auto sink = (*opened)->NewSink();
    const auto source = FromText(document);
    const auto report = ImportJson(*source, {}, *sink);
    ASSERT_TRUE(report) << report.error().message;
  }
  {
    auto opened = store::GraphStore::OpenForRead(directory);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(document, Export((*opened)->reader(), "latest", {}));
  }
  std::filesystem::remove_all(directory);
}

TEST(Exchange, TwoRunsOfAnUnchangedSiteAreEqualWithoutVolatileFields) {
  MemKv kv;
  for (const uint32_t serial : {1U, 2U}) {
    GraphWriter writer(kv, Durability::kProcess);
    ASSERT_TRUE(testing::WriteFullGraph(writer, serial));
  }
  const ExportOptions options{.volatile_fields = VolatileFields::kOmit};
  const GraphReader reader(kv);
  EXPECT_EQ(Export(reader, "full-1", options), Export(reader, "full-2", options));
  EXPECT_NE(Export(reader, "full-1", {}), Export(reader, "full-2", {}));
}

TEST(Exchange, DocumentHasTheFieldsOfTheShape) {
  // Every name in the v0.2 document stands in ours at the same place.
  const auto golden = ParseJson(Replaced(GoldenV02(), "\\ud83d", ""));
  ASSERT_TRUE(golden);
  const auto ours = ParseJson(FullDocument());
  ASSERT_TRUE(ours) << ours.error().message;
  const std::function<void(const boost::json::object&, const boost::json::object&)> compare =
      [&](const auto& shape, const auto& document) {
        for (const auto& [name, value] : shape) {
          const std::string_view key(name.data(), name.size());
          // The shape's own free names, and the descriptor's, which depend on the strategy.
          if (key == "attributes" || key == "descriptor") continue;
          ASSERT_TRUE(document.contains(name)) << key;
          const boost::json::value& own = document.at(name);
          if (value.is_object() && own.is_object()) compare(value.get_object(), own.get_object());
          if (!value.is_array() || value.get_array().empty()) continue;
          ASSERT_TRUE(own.is_array() && !own.get_array().empty()) << key;
          const auto& item = value.get_array().front();
          if (item.is_object()) compare(item.get_object(), own.get_array().front().as_object());
        }
      };
  compare(golden->as_object(), ours->as_object());
}

TEST(Exchange, LinesAreOneRecordEach) {
  MemKv kv;
  GraphWriter writer(kv, Durability::kProcess);
  ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("small")));
  std::istringstream lines(Export(kv, {.layout = JsonLayout::kLines}));
  std::string kinds;
  for (std::string line; std::getline(lines, line);) {
    const auto record = ParseJson(line);
    ASSERT_TRUE(record) << line;
    kinds += std::string(record->at("record").as_string()) + " ";
  }
  EXPECT_EQ(
      "run state state state element element element element element edge edge edge skip failure "
      "failure ",
      kinds);
}

TEST(Exchange, ASinkThatBreaksEndsTheExport) {
  MemKv kv;
  GraphWriter writer(kv, Durability::kProcess);
  ASSERT_TRUE(testing::WriteSmallGraph(writer, testing::BuildRun("small")));
  const GraphReader reader(kv);
  const Status status =
      ExportJson(reader, *reader.FindRun("latest"), {}, [](std::string_view) -> Status {
        return Error{ErrorCode::kIo, "pipe", {}};
      });
  ASSERT_FALSE(status);
  EXPECT_EQ("pipe", status.error().message);
}

TEST(Exchange, ReadsTheV02Shape) {
  MemKv kv;
  const auto report = Import(kv, GoldenV02(), {.name = "golden"});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ((RunCounts{2, 3, 2, 1, 1}), report->counts);
  EXPECT_EQ(1U, report->dangling_references);
  ASSERT_EQ(1U, report->warnings.size());
  EXPECT_THAT(report->warnings.front(), HasSubstr("edges[1].fromStateId"));

  const GraphReader reader(kv);
  const auto run = reader.FindRun("golden");
  ASSERT_TRUE(run);
  EXPECT_EQ(IdScheme::kForeign, run->run.id_scheme);
  EXPECT_EQ(RunStatus::kComplete, run->run.status);
  const auto elements = reader.Elements(run->number);
  ASSERT_TRUE(elements);
  ASSERT_EQ(3U, elements->size());
  const Element& link = elements->front();
  EXPECT_EQ(NameSource::kImported, link.name_source);
  EXPECT_FALSE(link.anchor_key.is_zero());
  EXPECT_EQ("Cart \xEF\xBF\xBD", link.context.at(0).text);
  const LocatorDescriptor& test_id = link.locators.at(1).descriptor;
  EXPECT_EQ(LocatorStrategy::kTestId, test_id.strategy);
  EXPECT_EQ("data-testid", test_id.attribute);
  EXPECT_EQ("to-\"cart\"", test_id.value);
  const auto edges = reader.Edges(run->number);
  ASSERT_TRUE(edges);
  ASSERT_EQ(2U, edges->size());
  EXPECT_EQ(EffectType::kInventory, edges->at(0).effects.at(1).type);
  EXPECT_EQ(Verification::kUnverifiable, edges->at(0).target.verification);
  EXPECT_EQ("edge_ffffffffffff", reader.ForeignId(run->number, edges->at(1).id.bytes)->value());
}

TEST(Exchange, ForeignIdsStayTheStringsTheyAre) {
  MemKv first;
  ASSERT_TRUE(Import(first, GoldenV02()));
  const std::string exported = Export(first);
  for (const char* id :
       {"crawl_0a1b2c3d4e5f", "input_112233445566", "state_gone", "el_222222222222",
        "loc_333333333333", "edge_eeeeeeeeeeee", "skip_111111111111", "fail_111111111111"}) {
    EXPECT_THAT(exported, HasSubstr("\"" + std::string(id) + "\""));
  }
  MemKv second;
  const auto report = Import(second, exported);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(exported, Export(second));
}

TEST(Exchange, NameAndIdAreTakenOnce) {
  MemKv kv;
  const std::string document = SmallDocument();
  ASSERT_TRUE(Import(kv, document));
  const auto before = kv.Contents();
  const auto again = Import(kv, document, {.name = "other"});
  ASSERT_FALSE(again);
  EXPECT_EQ(ErrorCode::kInvalidArgument, again.error().code);
  EXPECT_EQ(before, kv.Contents());
}

struct Refusal {
  std::string name;
  std::function<std::string()> text;
  std::string message;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

std::function<std::string()> Edited(std::string from, std::string to) {
  return [=] { return Replaced(SmallDocument(), from, to); };
}

class ImportRefuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(ImportRefuses, WithOneClearMessageAndNothingStored) {
  MemKv kv;
  const auto report = Import(kv, GetParam().text());
  ASSERT_FALSE(report);
  EXPECT_EQ(ErrorCode::kInvalidArgument, report.error().code);
  EXPECT_THAT(report.error().message, HasSubstr(GetParam().message));
  EXPECT_TRUE(kv.Contents().empty());
}

INSTANTIATE_TEST_SUITE_P(
    Documents, ImportRefuses,
    ::testing::Values(
        Refusal{"empty", [] { return std::string(); }, "unexpected end of the text (line 1"},
        Refusal{"no_object", [] { return std::string("[]"); }, "expected '{' (line 1, column 1)"},
        Refusal{"other_json", [] { return std::string(R"({"a":1})"); },
                "\"schemaVersion\" is missing"},
        Refusal{"truncated",
                [] {
                  const std::string text = SmallDocument();
                  return text.substr(0, text.size() * 2 / 3);
                },
                "unexpected end of the text (line "},
        Refusal{"text_after", [] { return SmallDocument() + "{}"; }, "text after the end"},
        Refusal{"section_missing", Edited("\"edges\":[", "\"edgez\":["), "\"edges\" is missing"},
        Refusal{"section_twice", Edited("\"elements\":[", "\"edges\":["), "\"edges\" stands twice"},
        Refusal{"section_no_array", Edited("\"elements\":[", "\"elements\":{["),
                "elements: expected an array (line "},
        Refusal{"too_deep",
                [] {
                  return Replaced(SmallDocument(), "\"states\":[",
                                  "\"states\":[" + std::string(1'000'000, '['));
                },
                "nested deeper than 64 levels"},
        Refusal{"metadata_key_twice", Edited("\"mode\":", "\"mode\":\"scan\",\"mode\":"),
                "key \"mode\" stands twice (line 3"},
        Refusal{"record_key_twice", Edited("\"tag\":", "\"tag\":\"b\",\"tag\":"),
                "key \"tag\" stands twice (line "},
        Refusal{"nan", Edited("\"score\":0.95", "\"score\":NaN"), "syntax error (line "},
        Refusal{"too_large_number", Edited("\"score\":0.95", "\"score\":1e400"),
                "number out of range: 1e400 (line "},
        Refusal{"bad_utf8", Edited("\"tag\":\"a\"", "\"tag\":\"\xC3\x28\""),
                "not valid UTF-8 (line "},
        Refusal{"wrong_type", Edited("\"role\":\"link\"", "\"role\":7"),
                "elements[0].role: expected a string, found a number (line "},
        Refusal{"null_for_a_text", Edited("\"tag\":\"a\"", "\"tag\":null"),
                "elements[0].tag: expected a string, found null"},
        Refusal{"field_missing", Edited("\"tag\":", "\"tagg\":"), "elements[0].tag: missing"},
        Refusal{"unknown_value", Edited("\"actionType\":\"click\"", "\"actionType\":\"smash\""),
                "edges[0].actionType: unknown value \"smash\""},
        Refusal{"bad_id", Edited("\"elementId\":\"el_", "\"elementId\":\"ell_"),
                "elements[0].elementId: expected el_ and 32 hex digits"},
        Refusal{"bad_time", Edited("\"createdAt\":\"2", "\"createdAt\":\"X"),
                "states[0].createdAt: expected a time"},
        Refusal{"negative_count", Edited("\"matchCount\":1", "\"matchCount\":-1"),
                "elements[0].locators[0].matchCount: expected a whole number from 0"},
        Refusal{"fractional_count", Edited("\"matchCount\":1", "\"matchCount\":1.5"),
                "elements[0].locators[0].matchCount: expected a whole number"},
        Refusal{"unknown_scheme", Edited("\"idScheme\":\"topodb-1\"", "\"idScheme\":\"topodb-9\""),
                "metadata.idScheme"},
        Refusal{"newer_shape", Edited("\"schemaVersion\":\"0.2\"", "\"schemaVersion\":\"0.3\""),
                "schemaVersion: expected \"0.2\", found \"0.3\""},
        Refusal{"other_artifact", Edited("topology-graph-v0.2", "something-else"),
                "metadata.artifactVersion"},
        Refusal{"still_running", Edited("\"status\":\"complete\"", "\"status\":\"running\""),
                "metadata.status"},
        Refusal{"dangling_state",
                [] {
                  const std::string text = SmallDocument();
                  const size_t at = text.find("\"toStateId\":\"state_") + 19;
                  return std::string(text).replace(at, 32, std::string(32, '0'));
                },
                "edges[0].toStateId: no such state in the document"}),
    [](const auto& test) { return test.param.name; });

TEST(Exchange, RefusesAnIdThatStandsTwice) {
  for (const char* section : {"states", "elements", "edges", "skippedActions"}) {
    SCOPED_TRACE(section);
    const std::string text = SmallDocument();
    const size_t begin = text.find('{', text.find("\"" + std::string(section) + "\":["));
    const size_t end = text.find_first_of("\n", begin);
    std::string record = text.substr(begin, end - begin);
    if (record.back() == ',') record.pop_back();
    MemKv kv;
    const auto report = Import(kv, std::string(text).insert(begin, record + ","));
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message,
                HasSubstr("[1]: same id as " + std::string(section) + "[0]"));
    EXPECT_TRUE(kv.Contents().empty());
  }
}

TEST(Exchange, WarnsOfWhatItLeavesOut) {
  const std::string text =
      Replaced(Replaced(SmallDocument(), "\"states\":[", "\"extra\":[1],\n  \"states\":["),
               "\"tag\":", "\"color\":\"red\",\"tag\":");
  MemKv kv;
  const auto report = Import(kv, text);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->warnings,
              ::testing::ElementsAre(HasSubstr("extra"), HasSubstr("elements[0].color")));

  MemKv strict;
  const auto refused = Import(strict, text, {.name = {}, .strictness = ImportStrictness::kRefuse});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(strict.Contents().empty());
}

TEST(Exchange, WarnsWhenCountsDisagree) {
  MemKv kv;
  const auto report =
      Import(kv, Replaced(SmallDocument(), "\"counts\":{\"states\":3", "\"counts\":{\"states\":4"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->warnings, ::testing::ElementsAre(HasSubstr("metadata.counts")));
}

TEST(Exchange, ReadsAFileAndAPipe) {
  const std::string document = SmallDocument();
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "topodb_exchange_test.json";
  std::ofstream(path, std::ios::binary) << document;
  auto file = FromFile(path);
  ASSERT_TRUE(file) << file.error().message;
  std::istringstream pipe(document);
  auto stream = FromStream(pipe);
  ASSERT_TRUE(stream) << stream.error().message;
  for (TextSource* source : {file->get(), stream->get()}) {
    MemKv kv;
    GraphWriter writer(kv, Durability::kProcess);
    const auto report = ImportJson(*source, {}, writer);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(document, Export(kv));
  }
  std::filesystem::remove(path);
  EXPECT_EQ(ErrorCode::kNotFound, FromFile(path).error().code);
}

}  // namespace
}  // namespace topodb::query
