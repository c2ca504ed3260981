#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "schema/codec.h"
#include "schema/codec_layout.h"
#include "schema/names.h"
#include "topodb_generated.h"

namespace topodb {
namespace {

using flatbuffers::Offset;
using flatbuffers::String;
using flatbuffers::Vector;
using Strings = Vector<Offset<String>>;

// Reads the fields of a verified buffer. The verifier proves that offsets stay inside; what it
// does not know (enum ranges, finite numbers, total size) is checked here. The first violation is
// kept in `problem`, and what is read after it is meaningless.
class Decoder {
 public:
  void Read(const fb::Run& in, Run& out);
  void Read(const fb::State& in, State& out);
  void Read(const fb::Element& in, Element& out);
  void Read(const fb::ActionEdge& in, ActionEdge& out);
  void Read(const fb::SkippedAction& in, SkippedAction& out);
  void Read(const fb::FailedObservation& in, FailedObservation& out);
  void Read(const fb::CompletionObservation& in, CompletionObservation& out);
  void Read(const fb::Landmark& in, Landmark& out);

  const std::string& problem() const { return problem_; }

 private:
  void Refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  // Counts what the decoded record takes; false when that is too much.
  bool Charge(size_t bytes) {
    if (bytes > budget_) {
      budget_ = 0;
      Refuse("decodes into more than a record may hold");
      return false;
    }
    budget_ -= bytes;
    return true;
  }

  void Read(const String* in, std::string& out) {
    if (in != nullptr && Charge(in->size())) out.assign(in->c_str(), in->size());
  }
  void Read(const String* in, std::optional<std::string>& out) {
    if (in != nullptr) Read(in, out.emplace());
  }
  void Read(const Strings* in, std::vector<std::string>& out) { ReadList(in, out); }
  template <class Table, class Value>
  void Read(const Vector<Offset<Table>>* in, std::vector<Value>& out) {
    ReadList(in, out);
  }
  template <class Table, class Value>
  void ReadList(const Vector<Offset<Table>>* in, std::vector<Value>& out) {
    if (in == nullptr || !Charge(size_t{in->size()} * sizeof(Value))) return;
    out.resize(in->size());
    for (flatbuffers::uoffset_t i = 0; i < in->size(); ++i) {
      if constexpr (std::is_same_v<Table, String>) {
        Read(in->Get(i), out[i]);
      } else {
        Read(*in->Get(i), out[i]);
      }
    }
  }

  template <class Tag>
  void Read(const fb::Id* in, Id<Tag>& out) {
    std::memcpy(out.bytes.data(), in->bytes()->data(), out.bytes.size());
  }
  template <class Tag>
  void Read(const fb::Id* in, std::optional<Id<Tag>>& out) {
    if (in != nullptr) Read(in, out.emplace());
  }
  template <class Enum>
  void ReadEnum(uint8_t number, std::string_view field, Enum& out) {
    if (number < 1 || number > EnumSize<Enum>()) {
      Refuse(fmt::format("{} is {}, not 1 to {}", field, number, EnumSize<Enum>()));
      return;
    }
    out = static_cast<Enum>(number);
  }
  void ReadNumber(double number, std::string_view field, double& out) {
    if (!std::isfinite(number)) Refuse(fmt::format("{} is not a finite number", field));
    out = number;
  }
  template <class Number>
  void Read(const flatbuffers::Optional<Number>& in, std::optional<Number>& out) {
    if (in.has_value()) out = *in;
  }

  void Read(const fb::Viewport* in, Viewport& out) { out = {in->width(), in->height()}; }
  void Read(const fb::Evidence& in, Evidence& out);
  void Read(const fb::NameValue& in, NameValue& out);
  void Read(const fb::Budget& in, Budget& out);
  void Read(const fb::RegionBaseline& in, RegionBaseline& out);
  void Read(const fb::RegionProof& in, RegionProof& out);
  void Read(const fb::RuntimeContext& in, RuntimeContext& out);
  void Read(const fb::ContextAnchor& in, ContextAnchor& out);
  void Read(const fb::LocatorScope& in, LocatorScope& out);
  void Read(const fb::Locator& in, Locator& out);
  void Read(const fb::SelectOption& in, SelectOption& out);
  void Read(const fb::ParameterSurface& in, ParameterSurface& out);
  void Read(const fb::IdValue& in, IdValue& out);
  void Read(const fb::AncestryStep& in, AncestryStep& out);
  void Read(const fb::TargetIdentity& in, TargetIdentity& out);
  void Read(const fb::IdentityPart& in, IdentityPart& out);
  void Read(const fb::UnstablePart& in, UnstablePart& out);
  void Read(const fb::Effect& in, Effect& out);
  void Read(const fb::SettleReport& in, SettleReport& out);

  std::string problem_;
  size_t budget_ = codec::kMaxDecodedBytes;
};

void Decoder::Read(const fb::Evidence& in, Evidence& out) {
  ReadEnum(in.level(), "evidence level", out.level);
  Read(in.source(), out.source);
  Read(in.description(), out.description);
}

void Decoder::Read(const fb::NameValue& in, NameValue& out) {
  Read(in.name(), out.first);
  Read(in.value(), out.second);
}

void Decoder::Read(const fb::Budget& in, Budget& out) {
  Read(in.name(), out.name);
  out.limit = in.limit();
  out.hit = in.hit();
}

void Decoder::Read(const fb::RuntimeContext& in, RuntimeContext& out) {
  Read(in.browser_name(), out.browser_name);
  Read(in.browser_version(), out.browser_version);
  Read(in.viewport(), out.viewport);
  Read(in.locale(), out.locale);
  Read(in.timezone_id(), out.timezone_id);
  ReadEnum(in.auth_context(), "auth context", out.auth_context);
}

void Decoder::Read(const fb::ContextAnchor& in, ContextAnchor& out) {
  ReadEnum(in.kind(), "context kind", out.kind);
  Read(in.role(), out.role);
  Read(in.name(), out.name);
  Read(in.text(), out.text);
  Read(in.key(), out.key);
}

void Decoder::Read(const fb::LocatorScope& in, LocatorScope& out) {
  ReadEnum(in.kind(), "scope kind", out.kind);
  Read(in.role(), out.role);
  Read(in.name(), out.name);
  Read(in.text(), out.text);
}

void Decoder::Read(const fb::Locator& in, Locator& out) {
  Read(in.id(), out.id);
  ReadEnum(in.strategy(), "locator strategy", out.descriptor.strategy);
  Read(in.role(), out.descriptor.role);
  Read(in.attribute(), out.descriptor.attribute);
  Read(in.value(), out.descriptor.value);
  Read(in.within(), out.descriptor.within);
  Read(in.nth(), out.descriptor.nth);
  Read(in.expression(), out.expression);
  Read(in.framework(), out.framework);
  ReadNumber(in.score(), "locator score", out.score);
  Read(in.reason(), out.reason);
  out.verified = in.verified();
  out.match_count = in.match_count();
  out.failure_count = in.failure_count();
  if (const auto at = in.last_verified_at()) out.last_verified_at = Timestamp{*at};
  Read(in.scopes(), out.scopes);
  if (const auto bits = in.identity()) {
    if (*bits > codec::kAllSame) Refuse(fmt::format("locator identity has bits {:#x}", *bits));
    const auto has = [&](uint8_t bit) { return (*bits & bit) != 0; };
    out.identity = LocatorIdentity{has(codec::kSameTag), has(codec::kSameRole),
                                   has(codec::kSameAccessibleName), has(codec::kSameText),
                                   has(codec::kSameVisibility)};
  }
  Read(in.evidence(), out.evidence);
}

void Decoder::Read(const fb::SelectOption& in, SelectOption& out) {
  Read(in.label(), out.label);
  Read(in.value(), out.value);
  out.disabled = in.disabled();
  out.selected = in.selected();
}

void Decoder::Read(const fb::ParameterSurface& in, ParameterSurface& out) {
  Read(in.name(), out.name);
  Read(in.input_type(), out.input_type);
  out.required = in.required();
  out.readonly = in.readonly();
  out.disabled = in.disabled();
  out.multiple = in.multiple();
  out.secret = in.secret();
  Read(in.pattern(), out.pattern);
  Read(in.min(), out.min);
  Read(in.max(), out.max);
  Read(in.step(), out.step);
  Read(in.accept(), out.accept);
  Read(in.autocomplete(), out.autocomplete);
  Read(in.min_length(), out.min_length);
  Read(in.max_length(), out.max_length);
  Read(in.options(), out.options);
  Read(in.form_method(), out.form_method);
  Read(in.form_action(), out.form_action);
}

void Decoder::Read(const fb::IdValue& in, IdValue& out) {
  ReadEnum(in.kind(), "id kind", out.kind);
  Read(in.attribute(), out.attribute);
  Read(in.value(), out.value);
  out.count = in.count();
}

void Decoder::Read(const fb::AncestryStep& in, AncestryStep& out) {
  Read(in.role(), out.role);
  Read(in.name(), out.name);
}

void Decoder::Read(const fb::TargetIdentity& in, TargetIdentity& out) {
  Read(in.origin(), out.scope.origin);
  Read(in.path_template(), out.scope.path_template);
  Read(in.frame_path(), out.scope.frame_path);
  Read(in.shadow_path(), out.scope.shadow_path);
  Read(in.top_layer(), out.scope.top_layer);
  Read(in.ids(), out.ids);
  Read(in.role(), out.role);
  Read(in.name(), out.name);
  out.name_hash = in.name_hash();
  out.masked_hash = in.masked_hash();
  Read(in.ancestry(), out.ancestry);
  Read(in.row_key(), out.row_key);
  out.sibling = in.sibling();
  out.region_order = in.region_order();
  Read(in.region(), out.region);
  out.identity_count = in.identity_count();
  out.matched_count = in.matched_count();
  out.state.disabled = in.disabled();
  out.state.editable = in.editable();
  Read(in.checked(), out.state.checked);
  Read(in.expanded(), out.state.expanded);
  Read(in.input_type(), out.state.input_type);
  ReadEnum(in.verification(), "target verification", out.verification);
  Read(in.verification_reason(), out.verification_reason);
}

void Decoder::Read(const fb::IdentityPart& in, IdentityPart& out) {
  Read(in.kind(), out.kind);
  Read(in.value(), out.value);
}

void Decoder::Read(const fb::UnstablePart& in, UnstablePart& out) {
  Read(in.kind(), out.kind);
  Read(in.key(), out.key);
}

void Decoder::Read(const fb::Effect& in, Effect& out) {
  ReadEnum(in.type(), "effect type", out.type);
  Read(in.before(), out.before);
  Read(in.after(), out.after);
  Read(in.description(), out.description);
  Read(in.details(), out.details);
}

void Decoder::Read(const fb::SettleReport& in, SettleReport& out) {
  out.settled = in.settled();
  Read(in.clock(), out.clock);
  Read(in.tier(), out.tier);
  out.elapsed_ms = in.elapsed_ms();
  out.virtual_ms = in.virtual_ms();
  Read(in.still_busy(), out.still_busy);
}

void Decoder::Read(const fb::Run& in, Run& out) {
  out.schema_version.clear();  // has a default in the model
  out.artifact_version.clear();
  Read(in.id(), out.id);
  Read(in.name(), out.name);
  Read(in.schema_version(), out.schema_version);
  Read(in.artifact_version(), out.artifact_version);
  Read(in.input_url(), out.input_url);
  Read(in.entry_url(), out.entry_url);
  out.generated_at.millis = in.generated_at();
  Read(in.engine_version(), out.engine_version);
  ReadEnum(in.mode(), "mode", out.mode);
  Read(in.input_seed(), out.input_seed);
  Read(in.input_fingerprint(), out.input_fingerprint);
  Read(*in.runtime_context(), out.runtime_context);
  Read(in.site_base_url(), out.site_base_url);
  Read(in.risk_policy_version(), out.risk_policy_version);
  Read(in.normalization_rule_version(), out.normalization_rule_version);
  Read(in.locator_scoring_version(), out.locator_scoring_version);
  ReadEnum(in.status(), "status", out.status);
  Read(in.status_reason(), out.status_reason);
  const fb::RunCounts& counts = *in.counts();
  out.counts = {counts.states(),
                counts.elements(),
                counts.edges(),
                counts.skipped_actions(),
                counts.failed_observations(),
                in.observations()};
  Read(in.budgets(), out.budgets);
  Read(in.policy_hash(), out.policy_hash);
  Read(in.clock(), out.clock);
  Read(in.guard(), out.guard);
  ReadEnum(in.id_scheme(), "id scheme", out.id_scheme);
  out.ended_at.millis = in.ended_at();
  out.protocol_commands = in.protocol_commands();
  Read(in.warnings(), out.warnings);
  Read(in.off_origin_hosts(), out.off_origin_hosts);
}

void Decoder::Read(const fb::State& in, State& out) {
  Read(in.id(), out.id);
  Read(in.url(), out.url);
  Read(in.route(), out.route);
  Read(in.url_canonical_key(), out.url_canonical_key);
  Read(in.title(), out.title);
  Read(in.language(), out.language);
  Read(in.viewport(), out.viewport);
  Read(in.frame_context(), out.frame_context);
  Read(in.modal_stack(), out.modal_stack);
  Read(in.state_hash(), out.state_hash);
  Read(in.dom_hash(), out.dom_hash);
  Read(in.visible_text_hash(), out.visible_text_hash);
  Read(in.actionable_signature_hash(), out.actionable_signature_hash);
  Read(in.template_key(), out.template_key);
  Read(in.form_state_hash(), out.form_state_hash);
  Read(in.http_status(), out.http_status);
  ReadEnum(in.lifecycle(), "lifecycle", out.lifecycle);
  Read(in.opened_by_edge_id(), out.opened_by_edge_id);
  out.created_at.millis = in.created_at();
  Read(in.identity_parts(), out.identity_parts);
  Read(in.unstable_parts(), out.unstable_parts);
  Read(in.evidence(), out.evidence);
}

void Decoder::Read(const fb::Element& in, Element& out) {
  Read(in.id(), out.id);
  Read(in.state_id(), out.state_id);
  Read(in.anchor_key(), out.anchor_key);
  Read(in.tag(), out.tag);
  Read(in.role(), out.role);
  Read(in.accessible_name(), out.accessible_name);
  ReadEnum(in.name_source(), "name source", out.name_source);
  Read(in.text(), out.text);
  Read(in.label(), out.label);
  Read(in.placeholder(), out.placeholder);
  Read(in.attributes(), out.attributes);
  ReadNumber(in.bbox()->x(), "bbox x", out.bbox.x);
  ReadNumber(in.bbox()->y(), "bbox y", out.bbox.y);
  ReadNumber(in.bbox()->width(), "bbox width", out.bbox.width);
  ReadNumber(in.bbox()->height(), "bbox height", out.bbox.height);
  Read(in.frame_path(), out.frame_path);
  Read(in.shadow_path(), out.shadow_path);
  out.interactability.visible = in.visible();
  out.interactability.enabled = in.enabled();
  out.interactability.editable = in.editable();
  out.interactability.receives_events = in.receives_events();
  Read(in.blocker(), out.interactability.blocker);
  Read(in.context(), out.context);
  if (in.parameter_surface() != nullptr) {
    Read(*in.parameter_surface(), out.parameter_surface.emplace());
  }
  Read(in.locators(), out.locators);
  Read(in.truncated(), out.truncated);
  out.unstable = in.unstable();
  Read(in.evidence(), out.evidence);
}

void Decoder::Read(const fb::ActionEdge& in, ActionEdge& out) {
  Read(in.id(), out.id);
  Read(in.from_state_id(), out.from_state_id);
  Read(in.to_state_id(), out.to_state_id);
  if (const auto* others = in.other_to_state_ids()) {
    for (const fb::Id* other : *others) Read(other, out.other_to_state_ids.emplace_back());
  }
  Read(in.element_id(), out.element_id);
  Read(in.locator_id(), out.locator_id);
  ReadEnum(in.action_type(), "action type", out.action_type);
  Read(in.action_params(), out.action_params);
  Read(in.preconditions(), out.preconditions);
  Read(in.parameter_specs(), out.parameter_specs);
  Read(in.effects(), out.effects);
  ReadEnum(in.risk_level(), "risk level", out.risk_level);
  ReadEnum(in.risk_category(), "risk category", out.risk_category);
  ReadNumber(in.confidence(), "confidence", out.confidence);
  ReadEnum(in.lifecycle(), "lifecycle", out.lifecycle);
  out.created_at.millis = in.created_at();
  Read(in.evidence(), out.evidence);
  Read(*in.target(), out.target);
  Read(*in.settle(), out.settle);
}

void Decoder::Read(const fb::SkippedAction& in, SkippedAction& out) {
  Read(in.id(), out.id);
  Read(in.state_id(), out.state_id);
  Read(in.element_id(), out.element_id);
  ReadEnum(in.action_type(), "action type", out.action_type);
  ReadEnum(in.risk_level(), "risk level", out.risk_level);
  ReadEnum(in.risk_category(), "risk category", out.risk_category);
  Read(in.reason(), out.reason);
  Read(in.evidence(), out.evidence);
  out.created_at.millis = in.created_at();
}

void Decoder::Read(const fb::FailedObservation& in, FailedObservation& out) {
  Read(in.id(), out.id);
  Read(in.state_id(), out.state_id);
  Read(in.element_id(), out.element_id);
  if (const auto type = in.action_type()) {
    ReadEnum(*type, "action type", out.action_type.emplace());
  }
  ReadEnum(in.reason(), "reason", out.reason);
  Read(in.message(), out.message);
  Read(in.effects(), out.effects);
  Read(in.evidence(), out.evidence);
  out.created_at.millis = in.created_at();
}

void Decoder::Read(const fb::RegionBaseline& in, RegionBaseline& out) {
  Read(in.url(), out.url);
  Read(in.conversation_id(), out.conversation_id);
  out.item_count = in.item_count();
}

void Decoder::Read(const fb::RegionProof& in, RegionProof& out) {
  out.finished = in.finished();
  Read(in.message_id(), out.message_id);
  Read(in.turn_id(), out.turn_id);
  out.turn_index = in.turn_index();
  Read(in.control(), out.control);
}

void Decoder::Read(const fb::CompletionObservation& in, CompletionObservation& out) {
  Read(in.id(), out.id);
  Read(in.state_id(), out.state_id);
  Read(in.element_id(), out.element_id);
  if (const auto type = in.action_type()) {
    ReadEnum(*type, "action type", out.action_type.emplace());
  }
  Read(in.profile(), out.profile);
  ReadEnum(in.status(), "status", out.status);
  Read(in.text(), out.text);
  Read(*in.baseline(), out.baseline);
  Read(*in.proof(), out.proof);
  Read(in.warnings(), out.warnings);
  Read(in.used_fallbacks(), out.used_fallbacks);
  out.stable_ms = in.stable_ms();
  out.elapsed_ms = in.elapsed_ms();
  out.recoverable = in.recoverable();
  Read(in.retry_hint(), out.retry_hint);
  Read(in.error_code(), out.error_code);
  Read(in.evidence(), out.evidence);
  out.created_at.millis = in.created_at();
}

void Decoder::Read(const fb::Landmark& in, Landmark& out) {
  Read(in.id(), out.id);
  Read(in.state_id(), out.state_id);
  Read(in.role(), out.role);
  Read(in.name(), out.name);
  if (in.locator() != nullptr) Read(*in.locator(), out.locator.emplace());
  Read(*in.identity(), out.identity);
}

template <class Record>
Error Corrupt(std::string_view problem) {
  return Error{
      ErrorCode::kCorruption, fmt::format("{} record {}", codec::Kind<Record>::kName, problem), {}};
}

// Root offset and file identifier.
constexpr size_t kShortestRecord =
    sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength;

template <class Table, class Record>
Result<Record> DecodeAs(std::string_view bytes) {
  if (bytes.size() > codec::kMaxEncodedBytes) return Corrupt<Record>("is too large");
  // A value inside a database block may start anywhere; fields are read aligned.
  std::vector<uint64_t> aligned;
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  if (reinterpret_cast<uintptr_t>(data) % alignof(uint64_t) != 0) {
    aligned.resize(bytes.size() / sizeof(uint64_t) + 1);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    data = reinterpret_cast<const uint8_t*>(aligned.data());
  }
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/64, /*max_tables=*/1000000);
  if (bytes.size() < kShortestRecord) return Corrupt<Record>("is too short");
  if (!flatbuffers::BufferHasIdentifier(data, codec::Kind<Record>::kIdentifier)) {
    return Corrupt<Record>("has the identifier of something else");
  }
  if (!verifier.VerifyBuffer<Table>(codec::Kind<Record>::kIdentifier)) {
    return Corrupt<Record>("does not hold together");
  }
  Decoder decoder;
  Record record;
  decoder.Read(*flatbuffers::GetRoot<Table>(data), record);
  if (!decoder.problem().empty()) return Corrupt<Record>("is invalid: " + decoder.problem());
  return record;
}

}  // namespace

#define TOPODB_DEFINE_DECODE(Record)                      \
  template <>                                             \
  Result<Record> Decode<Record>(std::string_view bytes) { \
    return DecodeAs<fb::Record, Record>(bytes);           \
  }

TOPODB_DEFINE_DECODE(Run)
TOPODB_DEFINE_DECODE(State)
TOPODB_DEFINE_DECODE(Element)
TOPODB_DEFINE_DECODE(ActionEdge)
TOPODB_DEFINE_DECODE(SkippedAction)
TOPODB_DEFINE_DECODE(FailedObservation)
TOPODB_DEFINE_DECODE(CompletionObservation)
TOPODB_DEFINE_DECODE(Landmark)

#undef TOPODB_DEFINE_DECODE

}  // namespace topodb
