#include "cli/output.h"

#include <gtest/gtest.h>

namespace topodb::cli {
namespace {

TEST(PrettyJson, IndentsAndKeepsValues) {
  EXPECT_EQ(PrettyJson(R"({"a":[1,{"b":null}],"c":{},"d":[],"e":0.95,"f":"x\u001by"})"),
            "{\n"
            "  \"a\": [\n"
            "    1,\n"
            "    {\n"
            "      \"b\": null\n"
            "    }\n"
            "  ],\n"
            "  \"c\": {},\n"
            "  \"d\": [],\n"
            "  \"e\": 0.95,\n"
            "  \"f\": \"x\\u001by\"\n"
            "}\n");
}

TEST(Outline, LeavesOutWhatIsEmptyAndMarksItems) {
  EXPECT_EQ(Outline(R"({"id":"x","none":null,"empty":"","list":[{"a":1,"b":true},{"a":2}],)"
                    R"("words":["p","q"],"inner":{"text":"line\nend"}})"),
            "id: x\n"
            "list:\n"
            "  - a: 1\n"
            "    b: true\n"
            "  - a: 2\n"
            "words:\n"
            "  - p\n"
            "  - q\n"
            "inner:\n"
            "  text: line\\u000aend\n");
}

TEST(CsvLine, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(CsvLine({"a", "", "b c", "d,e", "f\"g", "h\ni"}),
            "a,,b c,\"d,e\",\"f\"\"g\",\"h\ni\"\r\n");
}

}  // namespace
}  // namespace topodb::cli
