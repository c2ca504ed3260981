#include <string>

#include <gtest/gtest.h>

#include "schema/fingerprint.h"

namespace topodb {
namespace {

struct Case {
  std::string text, want;
};

TEST(MaskTest, Volatile) {
  const Case cases[] = {
      {"10:30", "<time>"},
      {"Now 10:30:59.123.", "Now <time>."},
      {"9:05 PM today", "<time> today"},
      {"opens 9pm", "opens <time>"},
      {"10:30Z", "<time>"},
      {"2024-05-31", "<date>"},
      {"2024-05-31T10:30:00Z", "<date>"},
      {"2024-05-31T10:30:00+02:00", "<date>"},
      {"2024-05-31 10:30", "<date> <time>"},
      {"31.12.2024", "<date>"},
      {"due 5/31/24", "due <date>"},
      {"Nov 29", "<date>"},
      {"November 29th, 2023", "<date>"},
      {"29 Nov 2023", "<date>"},
      {"Wed, 29 Nov 2023 14:33:21 GMT", "<date> <time> GMT"},
      {"Wed Nov 29 2023 14:33:21", "<date> <time>"},
      {"5 minutes ago", "<when>"},
      {"Edited 5m ago by Ann", "Edited <when> by Ann"},
      {"an hour ago", "<when>"},
      {"a few seconds ago", "<when>"},
      {"Just now", "<when>"},
      {"moments ago", "<when>"},
      {"expires in 2 hours", "expires <when>"},
      {"123e4567-e89b-12d3-a456-426614174000", "<uuid>"},
      {"id 9F86D081884C7D65", "id <token>"},
      {"9f86d081", "<token>"},
      {"csrf_x7Kq2Pz9Lm4", "csrf_<token>"},
      {"5 minutes ago, 10:30", "<when>, <time>"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(MaskVolatile(c.text), c.want);
    EXPECT_EQ(MaskVolatile(c.want), c.want);
  }
}

TEST(MaskTest, WhatStays) {
  for (const std::string text : {"",
                                 "Save",
                                 "Show record 1041",
                                 "Inbox (3)",
                                 "16:9",
                                 "v1.2.3",
                                 "1.2.34",
                                 "Call 555-1234",
                                 "SHA256",
                                 "utf8",
                                 "H264",
                                 "MP3",
                                 "WH1000XM4",
                                 "iPhone15",
                                 "covid2019",
                                 "3D",
                                 "4K",
                                 "January 2024",
                                 "May 2024",
                                 "Monday",
                                 "You may",
                                 "in progress",
                                 "Sign in",
                                 "Sign in 2",
                                 "deadbeef",
                                 "decade",
                                 "nowhere",
                                 "Chicago",
                                 "a minute",
                                 "5 minutes",
                                 "30 days",
                                 "localhost:8080",
                                 "10:3",
                                 "10:30:5",
                                 "1234567890123",
                                 "00:1A:2B:3C",
                                 "Ünïcödé 12",
                                 "\xE2\x82\xAC"
                                 "5",
                                 "1-2-34",
                                 "24/7",
                                 "50/50"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(MaskVolatile(text), text);
  }
}

TEST(MaskTest, Digits) {
  const Case cases[] = {
      {"", ""},
      {"Inbox (3)", "Inbox (#)"},
      {"Inbox (12)", "Inbox (#)"},
      {"999 views", "# views"},
      {"1,000 views", "# views"},
      {"1,234.50 EUR", "# EUR"},
      {"5, 6", "#, #"},
      {"Total: 7.", "Total: #."},
      {"v1.2.3", "v#"},
      {"WH1000XM4", "WH#XM#"},
      {"at 10:30, 7 left", "at <time>, # left"},
      {"none", "none"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(MaskDigits(c.text), c.want);
    EXPECT_EQ(MaskDigits(c.want), c.want);
  }
}

// Two loads of one page.
TEST(MaskTest, EqualAcrossLoads) {
  const Case pairs[] = {
      {"Updated 10:59:59 AM", "Updated 11:00:02 AM"},
      {"9:59", "10:00"},
      {"just now", "1 minute ago"},
      {"59 seconds ago", "a minute ago"},
      {"31 Jan 2024", "1 February 2024"},
      {"Session 4f1c9a2e77b0", "Session 0a9b8c7d6e5f"},
  };
  for (const auto& [first, second] : pairs) {
    EXPECT_EQ(MaskVolatile(first), MaskVolatile(second)) << first;
  }
  EXPECT_NE(MaskVolatile("Show record 1041"), MaskVolatile("Show record 1052"));
  EXPECT_EQ(MaskDigits("Show record 1041"), MaskDigits("Show record 1052"));
  EXPECT_NE(MaskDigits("Show record 1041"), MaskDigits("Edit record 1041"));
}

}  // namespace
}  // namespace topodb
