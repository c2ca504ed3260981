#include "cli/output.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

namespace json = boost::json;

// A JSON value without members, written as everywhere (JsonWriter).
std::string Serialized(const json::value& value) {
  std::string out;
  query::JsonWriter writer(out);
  if (value.is_double()) {
    writer.Number(value.get_double());
  } else if (value.is_string()) {
    writer.String(std::string_view(value.get_string()));
  } else {
    out = json::serialize(value);
  }
  return out;
}

void AppendPretty(const json::value& value, size_t indent, std::string& out) {
  const auto separate = [&](size_t level) { out += '\n' + std::string(level * 2, ' '); };
  if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
    std::string_view before = "{";
    for (const auto& [key, member] : *object) {
      out += before;
      separate(indent + 1);
      query::AppendJsonString(std::string_view(key), out);
      out += ": ";
      AppendPretty(member, indent + 1, out);
      before = ",";
    }
    separate(indent);
    out += '}';
  } else if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
    std::string_view before = "[";
    for (const auto& item : *array) {
      out += before;
      separate(indent + 1);
      AppendPretty(item, indent + 1, out);
      before = ",";
    }
    separate(indent);
    out += ']';
  } else {
    out += Serialized(value);
  }
}

bool IsEmpty(const json::value& value) {
  return value.is_null() || (value.is_string() && value.get_string().empty()) ||
         (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

std::string Scalar(const json::value& value) {
  return ForTerminal(value.is_string() ? std::string(value.get_string()) : Serialized(value));
}

void AppendOutline(const json::value& value, size_t indent, std::string& out) {
  const std::string space(indent, ' ');
  if (const auto* object = value.if_object()) {
    for (const auto& [key, member] : *object) {
      if (IsEmpty(member)) continue;
      out += space + std::string(key) + ":";
      if (member.is_structured()) {
        out += '\n';
        AppendOutline(member, indent + 2, out);
      } else {
        out += ' ' + Scalar(member) + '\n';
      }
    }
  } else if (const auto* array = value.if_array()) {
    for (const auto& item : *array) {
      if (!item.is_structured()) {
        out += space + "- " + Scalar(item) + '\n';
        continue;
      }
      const size_t start = out.size();
      AppendOutline(item, indent + 2, out);
      if (out.size() > start) out[start + indent] = '-';  // marks the item's first line
    }
  }
}

std::string_view ColorOf(CellStyle style) {
  switch (style) {
    case CellStyle::kPlain:
      return "";
    case CellStyle::kGood:
      return "\x1b[32m";
    case CellStyle::kCaution:
      return "\x1b[33m";
    case CellStyle::kDanger:
      return "\x1b[31m";
    case CellStyle::kDim:
      return "\x1b[2m";
  }
  return "";
}

std::string Colored(std::string_view text, std::string_view color) {
  return color.empty() ? std::string(text) : fmt::format("{}{}\x1b[0m", color, text);
}

// A member of a record as one CSV cell: text as it is, nothing for null, the rest as JSON.
std::string CsvCell(const json::object& record, const std::string& field, const Console& console) {
  const json::value* value = record.if_contains(field);
  if (value == nullptr || value->is_null()) return {};
  std::string text = value->is_string() ? std::string(value->get_string()) : Serialized(*value);
  return console.width() > 0 ? ForTerminal(text) : text;
}

}  // namespace

std::string PrettyJson(std::string_view document) {
  std::string out;
  AppendPretty(json::parse(json::string_view(document.data(), document.size())), 0, out);
  out += '\n';
  return out;
}

std::string Outline(std::string_view document) {
  std::string out;
  AppendOutline(json::parse(json::string_view(document.data(), document.size())), 0, out);
  return out;
}

void WriteStyledLine(Console& console, std::string_view text, CellStyle style) {
  console.Write(Colored(ForTerminal(text), console.color() ? ColorOf(style) : ""));
  console.Write("\n");
}

void Table::Add(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  for (size_t i = 0; i < row.size(); ++i) {
    row[i].text = ElideMiddle(ForTerminal(row[i].text), columns_[i].max_width);
  }
  rows_.push_back(std::move(row));
}

void Table::Print(Console& console) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, DisplayWidth(row[i].text));
    widths.push_back(width);
  }
  const auto print = [&](size_t i, std::string_view text, std::string_view color) {
    console.Write(Colored(text, console.color() ? color : ""));
    if (i + 1 == columns_.size()) {
      console.Write("\n");
    } else {
      console.Write(std::string(widths[i] - DisplayWidth(text) + 2, ' '));
    }
  };
  for (size_t i = 0; i < columns_.size(); ++i) print(i, columns_[i].title, "\x1b[1m");
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) print(i, row[i].text, ColorOf(row[i].style));
  }
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + "\r\n";
}

RecordList::RecordList(Console& console, std::vector<Column> columns,
                       std::vector<std::string> fields)
    : console_(console), table_(std::move(columns)), fields_(std::move(fields)) {
  if (console_.format() == Format::kCsv) console_.Write(CsvLine(fields_));
}

void RecordList::AddRecord(std::string_view record) {
  switch (console_.format()) {
    case Format::kJson:
      console_.Write(records_ == 0 ? "[\n" : ",\n");
      console_.Write(record);
      break;
    case Format::kJsonl:
      console_.Write(record);
      console_.Write("\n");
      break;
    case Format::kCsv: {
      const json::value parsed = json::parse(json::string_view(record.data(), record.size()));
      std::vector<std::string> cells;
      for (const std::string& field : fields_) {
        cells.push_back(CsvCell(parsed.get_object(), field, console_));
      }
      console_.Write(CsvLine(cells));
      break;
    }
    case Format::kText:
    case Format::kHtml:
    case Format::kJunit:
      break;
  }
  ++records_;
}

void RecordList::Finish() {
  if (console_.format() == Format::kJson) console_.Write(records_ == 0 ? "[]\n" : "\n]\n");
  if (console_.format() == Format::kText && !table_.empty()) table_.Print(console_);
}

}  // namespace topodb::cli
