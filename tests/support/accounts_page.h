#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

// Pieces of fixtures/accounts.html as they stand in its text, for tests that edit it.
namespace topodb::testing {

inline std::string AccountRow(std::string_view customer, std::string_view plan,
                              std::string_view test_id) {
  return fmt::format(
      "        <tr><td>{0}</td><td>{1}</td>\n"
      "          <td><button type=\"button\" data-testid=\"{2}\" onclick=\"edit('{0}')\">Edit"
      "</button></td></tr>\n",
      customer, plan, test_id);
}
inline std::string NorthwindRow() {
  return AccountRow("Northwind Traders", "Yearly", "edit-northwind");
}
inline std::string ContosoRow() { return AccountRow("Contoso Bakery", "Monthly", "edit-contoso"); }

}  // namespace topodb::testing
