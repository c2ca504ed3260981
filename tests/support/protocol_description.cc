#include "tests/support/protocol_description.h"

#include <algorithm>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace topodb::testing {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace json = boost::json;

// The array under `key`, or an empty one.
const json::array& Items(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const auto* found = object.if_contains(key);
  return found == nullptr ? kNone : found->as_array();
}

std::string_view Text(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  return found == nullptr ? std::string_view() : std::string_view(found->as_string());
}

bool IsOptional(const json::object& property) {
  const auto* optional = property.if_contains("optional");
  return optional != nullptr && optional->as_bool();
}

// "Network.Request", also for a reference inside its own domain.
std::string FullName(std::string_view reference, std::string_view domain) {
  if (reference.find('.') != std::string_view::npos) return std::string(reference);
  return std::string(domain) + "." + std::string(reference);
}

std::string_view DomainOf(std::string_view name) { return name.substr(0, name.find('.')); }

bool HasType(const json::value& value, std::string_view type) {
  if (type == "string" || type == "binary") return value.is_string();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "any";
}

}  // namespace

ProtocolDescription::ProtocolDescription(json::value description)
    : description_(std::move(description)) {}

ProtocolDescription ProtocolDescription::Fetch(const std::string& port) {
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  socket.connect({asio::ip::address_v4::loopback(), static_cast<uint16_t>(std::stoi(port))});
  http::request<http::empty_body> request{http::verb::get, "/json/protocol", 11};
  request.set(http::field::host, "127.0.0.1");
  http::write(socket, request);
  boost::beast::flat_buffer buffer;
  http::response_parser<http::string_body> response;
  response.body_limit(64U << 20U);
  http::read(socket, buffer, response);
  return ProtocolDescription(json::parse(response.get().body()));
}

const json::object* ProtocolDescription::Find(std::string_view kind, std::string_view name) const {
  const auto domain_name = DomainOf(name);
  const auto item_name = name.substr(domain_name.size() + 1);
  const std::string_view name_key = kind == "types" ? "id" : "name";
  for (const auto& domain : description_.at("domains").as_array()) {
    if (Text(domain.as_object(), "domain") != domain_name) continue;
    for (const auto& item : Items(domain.as_object(), kind)) {
      if (Text(item.as_object(), name_key) == item_name) return &item.as_object();
    }
  }
  return nullptr;
}

bool ProtocolDescription::HasCommand(std::string_view method) const {
  return Find("commands", method) != nullptr;
}

bool ProtocolDescription::HasEvent(std::string_view method) const {
  return Find("events", method) != nullptr;
}

std::vector<std::string> ProtocolDescription::CheckParams(std::string_view method,
                                                          const json::value& params) const {
  const auto* command = Find("commands", method);
  if (command == nullptr) return {std::string(method) + " is unknown"};
  std::vector<std::string> problems;
  Check(Items(*command, "parameters"), DomainOf(method), params, std::string(method), problems);
  return problems;
}

void ProtocolDescription::Check(const json::array& properties, std::string_view domain,
                                const json::value& value, const std::string& where,
                                std::vector<std::string>& problems) const {
  const auto& object = value.as_object();
  size_t known = 0;
  for (const auto& item : properties) {
    const auto& property = item.as_object();
    const auto name = Text(property, "name");
    const auto path = where + "." + std::string(name);
    const auto* given = object.if_contains(name);
    if (given != nullptr) {
      ++known;
      CheckValue(property, domain, *given, path, problems);
    } else if (!IsOptional(property)) {
      problems.push_back(path + " is missing");
    }
  }
  if (known != object.size()) {
    problems.push_back(where + " has unknown fields: " + json::serialize(value));
  }
}

void ProtocolDescription::CheckValue(const json::object& type, std::string_view domain,
                                     const json::value& value, const std::string& where,
                                     std::vector<std::string>& problems) const {
  if (const auto reference = Text(type, "$ref"); !reference.empty()) {
    const auto name = FullName(reference, domain);
    const auto* referred = Find("types", name);
    if (referred == nullptr) return problems.push_back(where + " has no type " + name);
    return CheckValue(*referred, DomainOf(name), value, where, problems);
  }
  const auto kind = Text(type, "type");
  if (!HasType(value, kind)) return problems.push_back(where + " is no " + std::string(kind));
  const auto& allowed = Items(type, "enum");
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    problems.push_back(where + " may not be " + json::serialize(value));
  }
  if (kind == "array") {
    for (const auto& item : value.as_array()) {
      CheckValue(type.at("items").as_object(), domain, item, where + "[]", problems);
    }
  }
  if (kind == "object" && type.contains("properties")) {
    Check(Items(type, "properties"), domain, value, where, problems);
  }
}

json::object ProtocolDescription::Sample(const json::array& properties, std::string_view domain,
                                         std::vector<std::string>& inside) const {
  json::object sample;
  for (const auto& item : properties) {
    const auto& property = item.as_object();
    auto value = SampleValue(property, domain, inside);
    if (!value.is_null()) sample[Text(property, "name")] = std::move(value);
  }
  return sample;
}

// Null where the type would be inside itself for the second time.
json::value ProtocolDescription::SampleValue(const json::object& type, std::string_view domain,
                                             std::vector<std::string>& inside) const {
  if (const auto reference = Text(type, "$ref"); !reference.empty()) {
    const auto name = FullName(reference, domain);
    if (std::count(inside.begin(), inside.end(), name) == 2) return nullptr;
    inside.push_back(name);
    auto value = SampleValue(*Find("types", name), DomainOf(name), inside);
    inside.pop_back();
    return value;
  }
  const auto kind = Text(type, "type");
  if (kind == "integer") return 1;
  if (kind == "number") return 1.5;
  if (kind == "boolean") return true;
  if (kind == "object") return Sample(Items(type, "properties"), domain, inside);
  if (kind == "array") {
    auto item = SampleValue(type.at("items").as_object(), domain, inside);
    return item.is_null() ? json::value(nullptr) : json::value(json::array{std::move(item)});
  }
  const auto& allowed = Items(type, "enum");
  return allowed.empty() ? json::value("x") : allowed.front();
}

std::string ProtocolDescription::SampleReply(std::string_view method) const {
  std::vector<std::string> inside;
  const auto* command = Find("commands", method);
  return command == nullptr
             ? std::string()
             : json::serialize(Sample(Items(*command, "returns"), DomainOf(method), inside));
}

std::string ProtocolDescription::SampleEvent(std::string_view method) const {
  std::vector<std::string> inside;
  const auto* event = Find("events", method);
  return event == nullptr
             ? std::string()
             : json::serialize(Sample(Items(*event, "parameters"), DomainOf(method), inside));
}

std::string ProtocolDescription::SampleType(std::string_view type) const {
  std::vector<std::string> inside;
  return json::serialize(SampleValue({{"$ref", type}}, DomainOf(type), inside));
}

}  // namespace topodb::testing
