#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schema/model.h"

// The exported spelling of every enumerator ("ui_reveal", "kClick" -> "click"), and back.
// Parse… returns nullopt for an unknown spelling.
namespace topodb {

std::string_view ToString(EvidenceLevel value);
std::string_view ToString(RunMode value);
std::string_view ToString(RunStatus value);
std::string_view ToString(AuthContext value);
std::string_view ToString(IdScheme value);
std::string_view ToString(LocatorStrategy value);
std::string_view ToString(ContextKind value);
std::string_view ToString(NameSource value);
std::string_view ToString(Lifecycle value);
std::string_view ToString(ActionType value);
std::string_view ToString(RiskLevel value);
std::string_view ToString(RiskCategory value);
std::string_view ToString(EffectType value);
std::string_view ToString(FailureReason value);
std::string_view ToString(CompletionStatus value);
std::string_view ToString(Verification value);
std::string_view ToString(IdKind value);

// Parse<RiskLevel>("low"); defined for every type above.
template <class Enum>
std::optional<Enum> Parse(std::string_view text);

// How many enumerators an enum has: their values are exactly 1 to EnumSize<Enum>().
template <class Enum>
size_t EnumSize();

}  // namespace topodb
