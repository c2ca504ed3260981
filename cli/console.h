#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/terminal.h"
#include "schema/base/result.h"

namespace topodb::cli {

enum class Format : uint8_t { kText, kJson, kJsonl, kCsv, kJunit, kHtml };

// What every command takes.
struct CommonOptions {
  std::filesystem::path database;
  Format format = Format::kText;
  ColorMode color = ColorMode::kAuto;
  bool quiet = false;
  bool verbose = false;
};

// Standard output and standard error of one command. Data goes to stdout, everything else to
// stderr. Once the reader of stdout has gone away (`| head`), writing is silently without effect.
class Console {
 public:
  explicit Console(const CommonOptions& options);

  const CommonOptions& options() const { return options_; }
  Format format() const { return options_.format; }
  // Columns of the terminal behind stdout, 0 when it is none.
  size_t width() const { return width_; }
  bool color() const { return color_; }

  // Data, exactly as given. Buffered.
  void Write(std::string_view data);
  // Data for people: `text` made safe for a terminal, and a line end.
  void WriteLine(std::string_view text);
  // Writes out what is buffered; kIo when any write failed.
  Status Flush();

  // A line on stderr, made safe for a terminal; not with --quiet.
  void Note(std::string_view text);
  // "topodb: warning: …", with --quiet too.
  void Warn(std::string_view text);

 private:
  CommonOptions options_;
  size_t width_ = 0;
  bool color_ = false;
  std::string buffer_;
  bool reader_gone_ = false;
  int error_number_ = 0;
};

// "topodb: <message>" and the lines of the hint on stderr; with kJson also {"error": …} as one
// line.
void PrintError(const Error& error, Format format);

}  // namespace topodb::cli
