#include "capture/browser/child_process.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process_group.h"

namespace topodb::capture {
namespace {

using ::testing::HasSubstr;
using ::topodb::testing::ProcessGroup;

constexpr Millis kEnough{30'000};
constexpr Millis kSoon{2'000};

std::unique_ptr<ChildProcess> Shell(const std::string& script) {
  auto child = ChildProcess::Spawn(
      {.program = "/bin/sh", .arguments = {"-c", script}, .environment = {{"GREETING", "hello"}}});
  EXPECT_TRUE(child) << child.error().message;
  return *std::move(child);
}

TEST(ChildProcessTest, RunsWithItsArgumentsAndEnvironmentAndKeepsTheLastWords) {
  ::setenv("GREETING", "replaced", 1);
  const auto child = Shell("echo $GREETING $PATH >&2; read line || echo no input >&2; exit 3");
  ::unsetenv("GREETING");
  ASSERT_TRUE(child->WaitForExit(kEnough));
  EXPECT_EQ("hello " + std::string(std::getenv("PATH")) + "\nno input\n", child->LastErrorOutput());
}

TEST(ChildProcessTest, KeepsTheEndOfLongOutput) {
  const auto child = Shell("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2");
  ASSERT_TRUE(child->WaitForExit(kEnough));
  EXPECT_LE(child->LastErrorOutput().size(), 4096U);
  EXPECT_THAT(child->LastErrorOutput(), HasSubstr("line 2999\n"));
}

TEST(ChildProcessTest, SaysWhyAProgramCannotBeExecuted) {
  for (const auto* program : {"/nonexistent", "/etc/passwd", "/"}) {
    const auto child =
        ChildProcess::Spawn({.program = program, .arguments = {}, .environment = {}});
    ASSERT_FALSE(child);
    EXPECT_EQ(ErrorCode::kIo, child.error().code);
    EXPECT_THAT(child.error().message, HasSubstr(program));
  }
}

TEST(ChildProcessTest, KillTakesTheWholeGroup) {
  const auto child = Shell("sleep 1000 & sleep 1000 & echo ready >&2; wait");
  while (child->LastErrorOutput().empty()) std::this_thread::yield();
  const ProcessGroup group(child->pid());
  EXPECT_EQ(3U, group.size());
  child->Kill();
  EXPECT_TRUE(group.WaitUntilGone(kSoon));
  EXPECT_TRUE(child->WaitForExit(Millis{0}));
  child->Kill();
}

TEST(ChildProcessTest, TheDestructorTakesTheWholeGroup) {
  auto child = Shell("sleep 1000 & echo ready >&2; wait");
  while (child->LastErrorOutput().empty()) std::this_thread::yield();
  const ProcessGroup group(child->pid());
  EXPECT_EQ(2U, group.size());
  child.reset();
  EXPECT_TRUE(group.WaitUntilGone(kSoon));
}

TEST(ChildProcessTest, WhatALeaderLeavesBehindIsKilled) {
  const auto child = Shell("sleep 1000 & echo ready >&2; read line; kill -9 $$");
  ASSERT_TRUE(child->WaitForExit(kEnough));
  // What was sent a kill may still be on its way out.
  EXPECT_TRUE(ProcessGroup(child->pid()).WaitUntilGone(kSoon));
}

TEST(ChildProcessTest, SignalsThatWeBlockOrIgnoreReachTheProgram) {
  sigset_t term, before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, &before);
  const auto child = Shell("echo ready >&2; sleep 1000");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (child->LastErrorOutput().empty()) std::this_thread::yield();
  ::kill(child->pid(), SIGTERM);
  EXPECT_TRUE(child->WaitForExit(kEnough));
}

// The system watches the thread that forks: a thread that starts a child and ends must not take
// the child along.
TEST(ChildProcessTest, OutlivesTheThreadThatStartedIt) {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] { child = Shell("read line; sleep 1000"); }).join();
  EXPECT_FALSE(child->WaitForExit(Millis{100}));
}

}  // namespace
}  // namespace topodb::capture
