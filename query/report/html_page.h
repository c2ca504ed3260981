#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"

// The parts that the HTML reports share. Everything that comes from a page is escaped here, nothing
// of it becomes a link, and the page forbids itself scripts and requests.
namespace topodb::query {

// Up to <main>; `title` as it comes.
std::string BeginPage(std::string_view title);
std::string EndPage(std::string_view engine_version);

// A figure with what it counts.
std::string Card(uint64_t count, std::string_view what);
// A box of lines; nothing without any.
std::string Warnings(const std::vector<std::string>& warnings);
// A word in a coloured pill; `style` is a class of report.css.
std::string Tag(std::string_view style, std::string_view text);
std::string Paragraph(std::string_view style, std::string_view text);

}  // namespace topodb::query
