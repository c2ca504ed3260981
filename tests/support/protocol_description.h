#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace topodb::testing {

// A browser's own description of its protocol (GET /json/protocol).
class ProtocolDescription {
 public:
  // Fetches it from the browser that listens on this loopback port; throws when it does not answer.
  static ProtocolDescription Fetch(const std::string& port);

  bool HasCommand(std::string_view method) const;
  bool HasEvent(std::string_view method) const;

  // What is wrong with these parameters of a command: unknown or missing names, wrong types, values
  // outside of an enumeration. Empty when nothing is.
  std::vector<std::string> CheckParams(std::string_view method,
                                       const boost::json::value& params) const;

  // JSON text with every field filled, optional ones too: strings are "x" or the first value of
  // their enumeration, integers 1, other numbers 1.5, booleans true, arrays hold one item. A type
  // inside itself inside itself is left out.
  std::string SampleReply(std::string_view method) const;
  std::string SampleEvent(std::string_view method) const;
  std::string SampleType(std::string_view type) const;  // "DOM.Node"

 private:
  explicit ProtocolDescription(boost::json::value description);
  const boost::json::object* Find(std::string_view kind, std::string_view name) const;
  void Check(const boost::json::array& properties, std::string_view domain,
             const boost::json::value& value, const std::string& where,
             std::vector<std::string>& problems) const;
  void CheckValue(const boost::json::object& type, std::string_view domain,
                  const boost::json::value& value, const std::string& where,
                  std::vector<std::string>& problems) const;
  boost::json::object Sample(const boost::json::array& properties, std::string_view domain,
                             std::vector<std::string>& inside) const;
  boost::json::value SampleValue(const boost::json::object& type, std::string_view domain,
                                 std::vector<std::string>& inside) const;

  boost::json::value description_;
};

}  // namespace topodb::testing
