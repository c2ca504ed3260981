#include "cli/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include <fmt/format.h>

#include "query/exchange/json_writer.h"

namespace topodb::cli {
namespace {

constexpr size_t kBufferBytes = 64 * 1024;

void WriteToStderr(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

Console::Console(const CommonOptions& options)
    : options_(options),
      width_(TerminalWidth(STDOUT_FILENO)),
      color_(options.format == Format::kText && UseColor(options.color, STDOUT_FILENO)) {}

void Console::Write(std::string_view data) {
  buffer_ += data;
  if (buffer_.size() >= kBufferBytes)
    static_cast<void>(Flush());  // the error stays in error_number_
}

void Console::WriteLine(std::string_view text) {
  Write(ForTerminal(text));
  Write("\n");
}

Status Console::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !reader_gone_ && error_number_ == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno != EINTR) {
      error_number_ = errno;
    }
  }
  buffer_.clear();
  if (error_number_ == 0) return {};
  return Error{ErrorCode::kIo,
               fmt::format("cannot write to standard output: {}", std::strerror(error_number_)),
               ""};
}

void Console::Note(std::string_view text) {
  if (!options_.quiet) WriteToStderr(ForTerminal(text) + "\n");
}

void Console::Warn(std::string_view text) {
  WriteToStderr(fmt::format("topodb: warning: {}\n", ForTerminal(text)));
}

void PrintError(const Error& error, Format format) {
  WriteToStderr(fmt::format("topodb: {}\n", ForTerminal(error.message)));
  for (std::string_view rest = error.hint; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    WriteToStderr(fmt::format("  {}\n", ForTerminal(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (format != Format::kJson) return;
  std::string document;
  query::JsonWriter json(document);
  json.BeginObject();
  json.Key("error");
  json.BeginObject();
  json.Key("code");
  json.String(ToString(error.code));
  json.Key("message");
  json.String(error.message);
  json.Key("hint");
  json.String(error.hint);
  json.EndObject();
  json.EndObject();
  WriteToStderr(document + "\n");
}

}  // namespace topodb::cli
