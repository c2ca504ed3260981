// Fills a database with generated runs of one site; the same seed gives the same runs.
//   store_fill DIR [runs=100] [states=200] [elements=50] [edges=10] [skips=15] [failures=1]
//   [seed=1]
// All but runs and states are counts a state. From run to run every fiftieth element is renamed and
// some states have one more, so that a diff has something to find. Prints the processor seconds
// that making the records took, and that storing them took.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

#include "schema/graph_sink.h"
#include "store/graph_store.h"
#include "tests/support/graph_builder.h"

namespace {

using topodb::GraphSink;
using topodb::StateBundle;
using topodb::Status;
using topodb::testing::ElementSpec;

constexpr std::string_view kWords[] = {
    "account", "address",  "archive",  "article",  "balance", "basket",  "billing",  "calendar",
    "catalog", "category", "comment",  "company",  "contact", "country", "customer", "delivery",
    "details", "discount", "document", "download", "event",   "filter",  "folder",   "gallery",
    "history", "invoice",  "language", "location", "manager", "message", "monitor",  "network",
    "order",   "partner",  "payment",  "picture",  "policy",  "product", "profile",  "project",
    "report",  "review",   "schedule", "search",   "service", "setting", "shipping", "summary",
    "support", "template", "ticket",   "travel",   "update",  "upload",  "vendor",   "warehouse"};
constexpr std::string_view kRoles[] = {"button", "link", "link", "textbox", "checkbox", "tab"};
constexpr std::string_view kTags[] = {"button", "a", "a", "input", "input", "div"};

using Sizes = std::map<std::string, uint32_t, std::less<>>;

double ProcessorSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void OrDie(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "store_fill: %s\n", status.error().message.c_str());
  std::exit(1);
}

class Site {
 public:
  Site(const Sizes& sizes, uint32_t run) : sizes_(sizes), run_(run) {}

  // State `index` as it is in this run; its elements are drawn anew each time from the seed.
  StateBundle Page(uint32_t index) const {
    std::mt19937 random(sizes_.at("seed") * 1'000'003U + index);
    std::vector<ElementSpec> specs;
    const uint32_t more = (index + run_) % 40 == 0 ? 1 : 0;
    for (uint32_t i = 0; i < sizes_.at("elements") + more; ++i) {
      const size_t role = random() % std::size(kRoles);
      std::string name(kWords[random() % std::size(kWords)]);
      name += ' ';
      name += kWords[random() % std::size(kWords)];
      name += ' ' + std::to_string(i);
      if ((index * 7 + i + run_) % 50 == 0) name += " new";
      specs.push_back({std::string(kRoles[role]), name, std::string(kTags[role])});
    }
    return topodb::testing::BuildState(
        "/section" + std::to_string(index % 17) + "/page" + std::to_string(index), specs);
  }

  Status Write(GraphSink& sink, double& making) const {
    const topodb::Run run = topodb::testing::BuildRun("run" + std::to_string(run_), run_);
    TOPODB_TRY_VOID(sink.BeginRun(run));
    const uint32_t states = sizes_.at("states");
    std::vector<topodb::StateId> ids;
    for (uint32_t index = 0; index < states; ++index) {
      const double begin = ProcessorSeconds();
      StateBundle page = Page(index);
      for (uint32_t i = 0; i < sizes_.at("skips"); ++i) {
        page.skips.push_back(topodb::testing::BuildSkip(
            page.elements.at(page.elements.size() - 1 - i % page.elements.size())));
      }
      ids.push_back(page.state.id);
      making += ProcessorSeconds() - begin;
      TOPODB_TRY_VOID(sink.AddState(page));
    }
    std::mt19937 random(sizes_.at("seed"));
    for (uint32_t index = 0; index < states; ++index) {
      const double begin = ProcessorSeconds();
      const StateBundle page = Page(index);
      std::vector<topodb::Transition> transitions;
      for (uint32_t i = 0; i < sizes_.at("edges"); ++i) {
        // The last one leads to the next page, so that every page has a way to it.
        const uint32_t to = i + 1 == sizes_.at("edges") ? (index + 1) % states
                                                        : static_cast<uint32_t>(random() % states);
        transitions.push_back({topodb::testing::BuildEdge(page, i, ids[to]), {}});
      }
      making += ProcessorSeconds() - begin;
      for (const auto& transition : transitions) TOPODB_TRY_VOID(sink.AddTransition(transition));
      for (uint32_t i = 0; i < sizes_.at("failures"); ++i) {
        TOPODB_TRY_VOID(sink.AddFailure(
            topodb::testing::BuildFailure(page.elements.at(sizes_.at("edges") + i))));
      }
    }
    return sink.EndRun(run);
  }

 private:
  const Sizes& sizes_;
  uint32_t run_;
};

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes = {{"runs", 100}, {"states", 200}, {"elements", 50}, {"edges", 10},
                 {"skips", 15}, {"failures", 1}, {"seed", 1}};
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto size = sizes.find(argument.substr(0, argument.find('=')));
    if (size == sizes.end() || argument.find('=') == std::string_view::npos) {
      std::fprintf(stderr, "store_fill: '%s' is no size\n", argv[i]);
      return 2;
    }
    size->second = static_cast<uint32_t>(std::atol(argument.substr(argument.find('=') + 1).data()));
  }
  if (argc < 2 || sizes["edges"] + sizes["failures"] + sizes["skips"] > sizes["elements"]) {
    std::fputs(
        "store_fill: needs a directory, and no more edges, failures and skips than elements\n",
        stderr);
    return 2;
  }
  double making = 0;
  {
    auto store = topodb::store::GraphStore::OpenForWrite(argv[1], {});
    if (!store) OrDie(Status(tl::unexpected(store.error())));
    const auto sink = (*store)->NewSink();
    for (uint32_t run = 1; run <= sizes["runs"]; ++run)
      OrDie(Site(sizes, run).Write(*sink, making));
  }
  std::printf("{\"making\": %.3f, \"storing\": %.3f}\n", making, ProcessorSeconds() - making);
  return 0;
}
