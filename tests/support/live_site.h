#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture.h"
#include "capture/drive.h"
#include "query/diff.h"
#include "query/exchange/record_json.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_store.h"
#include "tests/support/fixture_server.h"
#include "tests/support/run_graph.h"
#include "tests/support/temp_directory.h"

// Captures of pages that a test serves itself, made by a real browser.
namespace topodb::testing {

// The text of fixtures/`name`; throws when there is none.
std::string ReadFixture(std::string_view name);

// `text` with its only `from` replaced; throws unless there is exactly one.
std::string WithChange(std::string text, std::string_view from, std::string_view to);

// A browser that can reach this machine and nothing else.
capture::DriveOptions LoopbackDrive();

// A scan of, or an exploration from, this address; in such a browser.
capture::CaptureOptions ScanOf(std::string url);
capture::CaptureOptions ExplorationOf(std::string url);

// A server for the pages and a database for the runs; both end with it.
class LiveSite {
 public:
  LiveSite();

  FixtureServer& server() { return server_; }
  std::string Url(std::string_view path) const { return server_.Url(path); }
  // That reached the server, in order of arrival.
  std::vector<HttpRequest> requests() const { return server_.requests(); }

  // Makes a run, publishes it and reads it back.
  Result<query::RunGraph> Capture(const capture::CaptureOptions& options);

  store::GraphReader reader() const { return store_->reader(); }
  // The published run; throws when it is not there.
  store::StoredRun Stored(const query::RunGraph& graph) const;
  // What changed between two published runs.
  Result<query::Diff> Diff(const query::RunGraph& before, const query::RunGraph& after,
                           const query::DiffOptions& options) const;
  // The run as a document; kOmit: without what differs between equal runs.
  std::string Export(const query::RunGraph& graph, query::VolatileFields volatile_fields) const;
  // Every byte of the database: its files as they are, and all rows as they read.
  std::string DatabaseBytes() const;

 private:
  FixtureServer server_;
  TempDirectory directory_;
  std::unique_ptr<store::GraphStore> store_;
  uint8_t runs_ = 0;
};

// ---- looking into a run; null or empty when there is none ----

// Of the state, in document order.
std::vector<const Element*> ElementsNamed(const query::RunGraph& graph, const StateId& state,
                                          std::string_view role, std::string_view name);
// The only element of the state that is called so; null when there are none or several.
const Element* TheElement(const query::RunGraph& graph, const StateId& state, std::string_view role,
                          std::string_view name);
const Element* FindElement(const query::RunGraph& graph, const ElementId& id);
const State* FindState(const query::RunGraph& graph, const StateId& id);
const ActionEdge* EdgeOf(const query::RunGraph& graph, const Element& element);
const SkippedAction* SkipOf(const query::RunGraph& graph, const Element& element);
const FailedObservation* FailureOf(const query::RunGraph& graph, const Element& element);

// The value under that name; empty when there is none.
std::string DetailOf(const Effect& effect, std::string_view name);
const Effect* FindEffect(const std::vector<Effect>& effects, EffectType type);

}  // namespace topodb::testing
