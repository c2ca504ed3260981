#pragma once

#include <string>
#include <utility>

#include "query/check.h"

namespace topodb::query {

// Collects the violations of one run (or of the database) into a report.
class Violations {
 public:
  // `run` as in Violation; the report must outlive this.
  Violations(CheckReport& report, std::string run) : report_(report), run_(std::move(run)) {}

  // `key`: the bytes of the row; empty when no single row is to blame.
  void Add(Invariant invariant, std::string_view key, std::string record, std::string message);

  // Success when `status` is corruption, which is a violation then; else `status`.
  Status TakeDamage(Status status);

 private:
  CheckReport& report_;
  std::string run_;
};

}  // namespace topodb::query
