file(READ ${INPUT} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${OUTPUT} "#include <string_view>
namespace topodb {
static const char kBytes[] = {${bytes}'\\0'};
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL}(kBytes, ${size});
}  // namespace topodb
")
