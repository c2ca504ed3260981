#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/graph_sink.h"
#include "schema/model.h"

// Small valid records for tests. Deterministic: the same arguments give the same values. Every id
// is the one that its recipe gives (docs/format.md), so graphs built here pass `check`.
namespace topodb::testing {

// A complete explore run of https://shop.test/. `serial` makes id and time unique; the input
// fingerprint is the same for all serials.
Run BuildRun(std::string_view name, uint32_t serial = 1);

struct ElementSpec {
  std::string role = "button";
  std::string name = "Save";
  std::string tag = "button";
};

// A state at https://shop.test + `path` with one element a spec, one heading landmark, nothing
// else.
StateBundle BuildState(std::string_view path, const std::vector<ElementSpec>& elements = {});

// A click on `from.elements[element]` that leads to `to`.
ActionEdge BuildEdge(const StateBundle& from, size_t element, const StateId& to);

// The same with `to` as the new state, opened by that edge.
Transition BuildTransition(const StateBundle& from, size_t element, StateBundle to);

// A high-risk (destructive) refusal to click.
SkippedAction BuildSkip(const Element& element);

// A click that found its element disabled.
FailedObservation BuildFailure(const Element& element);

// A failure before any state.
FailedObservation BuildEarlyFailure(FailureReason reason);

// Three states, five elements, three edges (one back to the start), one skip, one failure with a
// state and one without; begun and published as `run`.
Status WriteSmallGraph(GraphSink& sink, const Run& run);

}  // namespace topodb::testing
