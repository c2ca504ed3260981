#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <netinet/in.h>
#include <string>

#include "capture/guard/scope.h"

namespace topodb::capture {
namespace {

struct Network4 {
  uint32_t address;
  int bits;
  AddressClass kind;
};

constexpr uint32_t Ip4(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return a << 24U | b << 16U | c << 8U | d;
}

constexpr auto kNetworks4 = std::to_array<Network4>({
    {Ip4(0, 0, 0, 0), 8, AddressClass::kLoopback},  // "this host": connects to the machine itself
    {Ip4(127, 0, 0, 0), 8, AddressClass::kLoopback},
    {Ip4(169, 254, 0, 0), 16, AddressClass::kLinkLocal},
    {Ip4(168, 63, 129, 16), 32, AddressClass::kLinkLocal},    // Azure's host agent
    {Ip4(100, 100, 100, 200), 32, AddressClass::kLinkLocal},  // Alibaba's metadata service
    {Ip4(10, 0, 0, 0), 8, AddressClass::kPrivate},
    {Ip4(172, 16, 0, 0), 12, AddressClass::kPrivate},
    {Ip4(192, 168, 0, 0), 16, AddressClass::kPrivate},
    {Ip4(100, 64, 0, 0), 10, AddressClass::kPrivate},
    {Ip4(198, 18, 0, 0), 15, AddressClass::kPrivate},
    {Ip4(192, 0, 0, 0), 24, AddressClass::kReserved},
    {Ip4(192, 0, 2, 0), 24, AddressClass::kReserved},
    {Ip4(198, 51, 100, 0), 24, AddressClass::kReserved},
    {Ip4(203, 0, 113, 0), 24, AddressClass::kReserved},
    {Ip4(224, 0, 0, 0), 3, AddressClass::kReserved},
});

AddressClass Classify4(uint32_t address) {
  for (const auto& network : kNetworks4) {
    const uint32_t mask = network.bits == 0 ? 0 : ~uint32_t{0} << (32 - network.bits);
    if ((address & mask) == network.address) return network.kind;
  }
  return AddressClass::kPublic;
}

AddressClass Classify6(const in6_addr& address) {
  const uint8_t* b = address.s6_addr;
  const uint32_t last = Ip4(b[12], b[13], b[14], b[15]);
  const bool mapped = IN6_IS_ADDR_V4MAPPED(&address) || IN6_IS_ADDR_V4COMPAT(&address);
  if (IN6_IS_ADDR_LOOPBACK(&address) || IN6_IS_ADDR_UNSPECIFIED(&address)) {
    return AddressClass::kLoopback;
  }
  const bool nat64 = b[0] == 0 && b[1] == 0x64 && b[2] == 0xFF && b[3] == 0x9B;
  if (mapped || nat64) return Classify4(last);
  if (b[0] == 0x20 && b[1] == 0x02) return Classify4(Ip4(b[2], b[3], b[4], b[5]));  // 6to4
  if (IN6_IS_ADDR_LINKLOCAL(&address)) return AddressClass::kLinkLocal;
  constexpr std::array<uint8_t, 6> kEc2Metadata = {0xFD, 0x00, 0x0E, 0xC2, 0, 0};
  if (std::equal(kEc2Metadata.begin(), kEc2Metadata.end(), b)) return AddressClass::kLinkLocal;
  if ((b[0] & 0xFEU) == 0xFC || IN6_IS_ADDR_SITELOCAL(&address)) return AddressClass::kPrivate;
  return IN6_IS_ADDR_MULTICAST(&address) ? AddressClass::kReserved : AddressClass::kPublic;
}

bool EndsWithLabel(std::string_view host, std::string_view label) {
  return host == label || (host.size() > label.size() && host.ends_with(label) &&
                           host[host.size() - label.size() - 1] == '.');
}

AddressClass ClassifyName(std::string_view host) {
  if (EndsWithLabel(host, "localhost")) return AddressClass::kLoopback;
  if (host == "metadata" || host == "metadata.google.internal" || host == "instance-data") {
    return AddressClass::kLinkLocal;
  }
  for (const std::string_view label : {"internal", "local", "lan", "home.arpa", "intranet"}) {
    if (EndsWithLabel(host, label)) return AddressClass::kPrivate;
  }
  return AddressClass::kName;
}

}  // namespace

AddressClass ClassifyHost(std::string_view host) {
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  std::string text(host.substr(0, host.find('%')));  // without an IPv6 zone
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (text.size() > 1 && text.back() == '.') text.pop_back();
  in6_addr six{};
  if (inet_pton(AF_INET6, text.c_str(), &six) == 1) return Classify6(six);
  // inet_aton takes 127.1, 0x7f000001 and 017700000001, as browsers do; and trailing garbage after
  // a blank, which no host has.
  in_addr four{};
  const bool plain = text.find_first_not_of("0123456789abcdefx.") == std::string::npos;
  if (plain && inet_aton(text.c_str(), &four) != 0) return Classify4(ntohl(four.s_addr));
  return ClassifyName(text);
}

}  // namespace topodb::capture
