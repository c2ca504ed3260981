#pragma once

#include <utility>

#include <tl/expected.hpp>

#include "schema/base/error.h"

namespace topodb {

// A value or an Error; ignoring one is a compiler warning, hence an error. The shape of
// std::expected (C++23), so that moving there changes this header only.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  // Implicit, so that `return Error{…};` reads as it should.
  Result(Error error)  // NOLINT(google-explicit-constructor)
      : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}
};

using Status = Result<void>;

#define TOPODB_CONCAT_INNER(a, b) a##b
#define TOPODB_CONCAT(a, b) TOPODB_CONCAT_INNER(a, b)

// TOPODB_TRY(const auto x, Compute()): declares x from the value, or returns the Error.
#define TOPODB_TRY(declaration, ...) \
  TOPODB_TRY_NAMED(TOPODB_CONCAT(topodb_result_, __COUNTER__), declaration, __VA_ARGS__)
#define TOPODB_TRY_NAMED(result, declaration, ...) \
  auto result = (__VA_ARGS__);                     \
  if (!result) return std::move(result).error();   \
  declaration = *std::move(result)

// TOPODB_TRY_VOID(Write()): goes on, or returns the Error.
#define TOPODB_TRY_VOID(...) \
  TOPODB_TRY_VOID_NAMED(TOPODB_CONCAT(topodb_status_, __COUNTER__), __VA_ARGS__)
#define TOPODB_TRY_VOID_NAMED(status, ...) \
  if (auto status = (__VA_ARGS__); !status) return std::move(status).error()

}  // namespace topodb
