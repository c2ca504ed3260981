#include "query/report/html_page.h"

#include <fmt/format.h>

#include "query/report/markup.h"

namespace topodb {

extern const std::string_view kReportCss;  // query/report/report.css

namespace query {

std::string BeginPage(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      EscapeMarkup(title), kReportCss);
}

std::string EndPage(std::string_view engine_version) {
  return fmt::format("<footer>topodb {}</footer>\n</main>\n</body>\n</html>\n",
                     EscapeMarkup(engine_version));
}

std::string Card(uint64_t count, std::string_view what) {
  return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", count,
                     EscapeMarkup(what));
}

std::string Warnings(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  std::string text = "<div class=\"warnings\">";
  for (const std::string& warning : warnings) text += Paragraph("", warning);
  return text + "</div>\n";
}

std::string Tag(std::string_view style, std::string_view text) {
  return fmt::format("<span class=\"tag {}\">{}</span>", EscapeMarkup(style), EscapeMarkup(text));
}

std::string Paragraph(std::string_view style, std::string_view text) {
  return fmt::format("<p class=\"{}\">{}</p>", EscapeMarkup(style), EscapeMarkup(text));
}

}  // namespace query
}  // namespace topodb
