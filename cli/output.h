#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/console.h"

// Writers of data: aligned tables for people, JSON, JSON lines and CSV for programs.
namespace topodb::cli {

// `document`, valid JSON, indented by two and with a line end. Characters that could drive a
// terminal are \u escapes.
std::string PrettyJson(std::string_view document);

// `document`, a JSON object, for people: one member a line, nested ones indented, what is absent or
// empty left out. Made safe for a terminal.
std::string Outline(std::string_view document);

enum class CellStyle : uint8_t { kPlain, kGood, kCaution, kDanger, kDim };

struct Cell {
  std::string text;  // as it comes from the page; the table cleans it
  CellStyle style = CellStyle::kPlain;
};

// A line for people, made safe for a terminal, in the style's colour.
void WriteStyledLine(Console& console, std::string_view text, CellStyle style);

struct Column {
  std::string title;
  size_t max_width = 48;  // longer cells lose their middle
};

// Collects rows, then prints them aligned; the last column is not padded.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell for each column.
  void Add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }
  void Print(Console& console) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// One CSV record (RFC 4180) with a line end; cells with a comma, quote or line end are quoted.
std::string CsvLine(const std::vector<std::string>& cells);

// A list of records in the console's format; in JSON it is one array.
class RecordList {
 public:
  // `columns` are for people; `fields` are the members of the JSON record that CSV shows.
  RecordList(Console& console, std::vector<Column> columns, std::vector<std::string> fields);

  // True: the console wants rows for people, and AddRow is called. False: AddRecord is.
  bool for_people() const { return console_.format() == Format::kText; }
  void AddRow(std::vector<Cell> row) { table_.Add(std::move(row)); }
  // `record` is one JSON object.
  void AddRecord(std::string_view record);
  // Ends the list. Called exactly once.
  void Finish();

 private:
  Console& console_;
  Table table_;
  std::vector<std::string> fields_;
  size_t records_ = 0;
};

}  // namespace topodb::cli
