#include "tests/support/fake_transport.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace topodb::testing {
namespace {

Error Gone() { return Error{ErrorCode::kBrowserGone, "the transcript ended the connection", {}}; }

// What the line holds under `key`, or null.
const boost::json::value* Find(const boost::json::value& line, std::string_view key) {
  return line.as_object().if_contains(key);
}

}  // namespace

Transcript Transcript::Parse(const std::string& text) {
  Transcript transcript;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const auto start = line.find_first_not_of(' ');
    if (start != std::string::npos && line[start] != '#') transcript.lines.push_back(line);
  }
  return transcript;
}

Transcript Transcript::Load(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return Parse(text.str());
}

std::string Playback::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

bool Playback::finished() const {
  const std::lock_guard lock(mutex_);
  return lines_.empty();
}

FakeTransport::FakeTransport(Transcript transcript, size_t close_at)
    : playback_(std::make_shared<Playback>()) {
  playback_->lines_.assign(transcript.lines.begin(), transcript.lines.end());
  playback_->close_at_ = close_at;
}

Status FakeTransport::Send(std::string message) {
  auto& play = *playback_;
  const std::lock_guard lock(play.mutex_);
  if (play.closed_) return Gone();
  const auto line = play.lines_.empty() ? boost::json::value(boost::json::object())
                                        : boost::json::parse(play.lines_.front());
  const auto* expected = Find(line, "send");
  const bool cut = play.played_ + 1 == play.close_at_;
  if (cut || expected == nullptr || *expected != boost::json::parse(message)) {
    if (!cut)
      play.problem_ = "line " + std::to_string(play.played_ + 1) + ": unexpected " + message;
    play.closed_ = true;
    play.changed_.notify_all();
    return Gone();
  }
  play.lines_.pop_front();
  ++play.played_;
  play.changed_.notify_all();
  return {};
}

Result<std::string> FakeTransport::Receive() {
  auto& play = *playback_;
  std::unique_lock lock(play.mutex_);
  while (true) {
    if (play.played_ + 1 == play.close_at_) play.closed_ = true;
    if (play.closed_) return Gone();
    if (!play.lines_.empty()) {
      const auto line = boost::json::parse(play.lines_.front());
      if (const auto* message = Find(line, "receive")) {
        play.lines_.pop_front();
        ++play.played_;
        return message->is_string() ? std::string(message->as_string())
                                    : boost::json::serialize(*message);
      }
    }
    play.changed_.wait(lock);
  }
}

void FakeTransport::Close() {
  const std::lock_guard lock(playback_->mutex_);
  playback_->closed_ = true;
  playback_->changed_.notify_all();
}

}  // namespace topodb::testing
