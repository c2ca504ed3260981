#include "query/script/target_text.h"

#include <fmt/format.h>

#include "query/exchange/id_text.h"
#include "query/exchange/json_text.h"
#include "query/exchange/json_writer.h"
#include "query/exchange/record_json.h"
#include "query/exchange/record_reader.h"
#include "schema/identity/build_identity.h"

namespace topodb::script {
namespace {

namespace json = boost::json;
using query::JsonWriter;

// Absent and empty members read back as what they are when they are left out.
bool SaysNothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

void WriteCompact(JsonWriter& writer, const json::value& value) {
  switch (value.kind()) {
    case json::kind::object:
      writer.BeginObject();
      for (const auto& [name, member] : value.get_object()) {
        if (SaysNothing(member)) continue;
        writer.Key({name.data(), name.size()});
        WriteCompact(writer, member);
      }
      return writer.EndObject();
    case json::kind::array:
      writer.BeginArray();
      for (const auto& item : value.get_array()) WriteCompact(writer, item);
      return writer.EndArray();
    case json::kind::string:
      return writer.String({value.get_string().data(), value.get_string().size()});
    case json::kind::bool_:
      return writer.Boolean(value.get_bool());
    case json::kind::int64:
      return writer.Number(value.get_int64());
    case json::kind::uint64:
      return writer.Number(value.get_uint64());
    case json::kind::double_:
      return writer.Number(value.get_double());
    case json::kind::null:
      return writer.Null();
  }
}

Error Malformed(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message), ""};
}

}  // namespace

std::string WriteTarget(const TargetRecord& target) {
  std::string whole, compact;
  JsonWriter writer(whole);
  query::IdText ids;
  query::WriteJson(writer, target, {.ids = ids});
  JsonWriter compact_writer(compact);
  if (const auto parsed = query::ParseJson(whole)) WriteCompact(compact_writer, *parsed);
  return compact;
}

Result<TargetRecord> ReadTarget(std::string_view text) {
  const auto parsed = query::ParseJson(text);
  if (!parsed) {
    return Malformed(
        fmt::format("character {}: {}", parsed.error().offset + 1, parsed.error().message));
  }
  constexpr std::string_view kWhere = "record";
  query::RecordReader reader(IdScheme::kTopodb1);
  auto target = reader.ReadTarget(*parsed, kWhere);
  if (!target) {
    std::string message = target.error().message;
    if (message.starts_with("record.")) message.erase(0, kWhere.size() + 1);
    return Malformed(std::move(message));
  }
  if (RecordSize(target->identity) > kMaxIdentityRecord) {
    return Malformed(fmt::format("identity: larger than {} bytes", kMaxIdentityRecord));
  }
  return target;
}

}  // namespace topodb::script
