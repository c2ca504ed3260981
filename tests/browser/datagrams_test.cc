#include <array>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/live_site.h"

// Ways out of the browser that no command of its protocol asks about: WebTransport, and peers that
// are looked for by datagrams.
namespace topodb::testing {
namespace {

using boost::asio::ip::udp;

// A port of this machine that counts what comes.
class Listener {
 public:
  Listener() : socket_(context_, udp::endpoint(boost::asio::ip::address_v4::loopback(), 0)) {
    socket_.non_blocking(true);
  }
  uint16_t port() const { return socket_.local_endpoint().port(); }
  size_t Drain() {
    size_t count = 0;
    std::array<char, 2048> bytes{};
    boost::system::error_code error;
    while (socket_.receive(boost::asio::buffer(bytes), 0, error) > 0 && !error) ++count;
    return count;
  }

 private:
  boost::asio::io_context context_;
  udp::socket socket_;
};

// Every control opens something to `port`, and waits until it is open or cannot be.
std::string Page(uint16_t port) {
  std::string page = R"html(<!doctype html><title>Datagrams</title><h1>Datagrams</h1><p id=out></p>
<script>
  const transport = `new WebTransport('https://127.0.0.1:@port@/live?room=1').ready.catch(() => 0)`;
  const said = (text) => () => { out.textContent = text; };
  const viaWorker = () => {
    const worker = new Worker(URL.createObjectURL(new Blob([transport + '.then(() => postMessage(0))'])));
    worker.onmessage = said('worker');
  };
  const findPeers = async (view) => {
    const peer = new view.RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:@port@'}]});
    peer.setConfiguration({iceServers: [{urls: 'stun:127.0.0.1:@port@'}]});
    peer.createDataChannel('data');
    const done = new Promise((resolve) => {
      peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') resolve(); };
    });
    await peer.setLocalDescription(await peer.createOffer());
    await done;
    said('peers')();
  };
</script>
<button type=button onclick="eval(transport).then(said('page'))">Show page</button>
<button type=button onclick="viaWorker()">Show worker</button>
<button type=button onclick="findPeers(window)">Show peers</button>
<button type=button onclick="findPeers(window.open('about:blank'))">Show window</button>
<button type=button onclick="findPeers(inner)">Show frame</button>
<iframe name=inner title=Inner></iframe>)html";
  for (size_t at = page.find("@port@"); at != std::string::npos; at = page.find("@port@", at)) {
    page.replace(at, 6, std::to_string(port));
  }
  return page;
}

TEST(DatagramsTest, NoneLeaveTheBrowserAndTransportsAreNamed) {
  Listener listener;
  LiveSite site;
  site.server().HandlePage("/", Page(listener.port()));
  const auto run = site.Capture(ExplorationOf(site.Url("/")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(0U, listener.Drain());
  const StateId& entry = run->states.front().id;
  const Element* element = TheElement(*run, entry, "button", "Show page");
  ASSERT_NE(nullptr, element);
  const FailedObservation* failure = FailureOf(*run, *element);
  ASSERT_NE(nullptr, failure);
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, failure->reason) << failure->message;
  const Effect* network = FindEffect(failure->effects, EffectType::kNetwork);
  ASSERT_NE(nullptr, network);
  EXPECT_EQ(fmt::format("https://127.0.0.1:{}/live?room=1", listener.port()), network->after);
  EXPECT_EQ("WebTransport", DetailOf(*network, "resourceType"));
  EXPECT_EQ("guard", DetailOf(*network, "blockedBy"));
}

// Or the test above would pass with pages that do nothing.
TEST(DatagramsTest, WithoutTheGuardTheyDoLeave) {
  Listener listener;
  LiveSite site;
  site.server().HandlePage("/", Page(listener.port()));
  auto options = ExplorationOf(site.Url("/"));
  options.drive.guard = capture::GuardMode::kOff;
  const auto run = site.Capture(options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_LT(0U, listener.Drain());
}

}  // namespace
}  // namespace topodb::testing
