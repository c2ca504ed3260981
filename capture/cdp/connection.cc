#include "capture/cdp/connection.h"

#include <utility>

#include "capture/cdp/router.h"

namespace topodb::capture::cdp {

Connection::Connection(std::unique_ptr<Transport> transport, ConnectionOptions options)
    : router_(std::make_shared<internal::Router>(std::move(transport), std::move(options))),
      root_(router_->OpenSession(router_, "")),
      io_thread_([router = router_] { router->ReadLoop(); }) {}

Connection::~Connection() {
  Close();
  io_thread_.join();
}

Session& Connection::root() { return *root_; }

std::shared_ptr<Session> Connection::OpenSession(const std::string& session_id) {
  return router_->OpenSession(router_, session_id);
}

void Connection::Close() { router_->Close(); }

uint64_t Connection::commands_sent() const { return router_->commands_sent(); }

std::map<std::string, uint64_t, std::less<>> Connection::CommandsByMethod() const {
  return router_->CommandsByMethod();
}

}  // namespace topodb::capture::cdp
