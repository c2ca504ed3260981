#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What only a terminal cares about: colour, width, and text that must not be able to drive it.
namespace topodb::cli {

enum class ColorMode : uint8_t { kAuto, kAlways, kNever };

bool IsTerminal(int descriptor);

// Columns of the terminal; 0 when `descriptor` is none.
size_t TerminalWidth(int descriptor);

// kAuto: only on a terminal, and neither NO_COLOR nor TERM=dumb says otherwise.
bool UseColor(ColorMode mode, int descriptor);

// Text from pages is hostile: C0 and C1 controls (line ends and ESC included), DEL, bidi controls,
// U+2028/U+2029 and tag characters become \u escapes, bytes that are no UTF-8 become \xNN.
// Everything else stays as it is.
std::string ForTerminal(std::string_view text);

// Columns that `text` takes on a terminal: wide characters two, combining marks none.
size_t DisplayWidth(std::string_view text);

// At most `width` columns: the middle of a longer text becomes "…". Expects clean text.
std::string ElideMiddle(std::string_view text, size_t width);

}  // namespace topodb::cli
