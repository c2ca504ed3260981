#include "query/report/state_map.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "query/record_scan.h"
#include "query/report/markup.h"
#include "schema/names.h"
#include "store/keys.h"

namespace topodb::query {
namespace {

using store::StateOrdinal;

// Pixels.
constexpr int kWidth = 190, kHeight = 46, kGapX = 90, kGapY = 18, kMargin = 12;
constexpr size_t kLabelBytes = 26, kNoteBytes = 27;

class MapBuilder {
 public:
  MapBuilder(const store::GraphReader& reader, const store::StoredRun& run, RunNames& names,
             size_t limit)
      : reader_(reader), run_(run), names_(names), limit_(limit) {}

  Result<StateMap> Build() {
    // Breadth first; then the states that no edge leads to.
    TOPODB_TRY_VOID(Reach(0, 0));
    for (size_t next = 0; next < ordinals_.size(); ++next) TOPODB_TRY_VOID(Follow(next));
    const uint32_t last = LastColumn();
    const auto states = static_cast<StateOrdinal>(run_.run.counts.states);
    for (StateOrdinal state = 0; state < states && ordinals_.size() < limit_; ++state) {
      TOPODB_TRY_VOID(Reach(state, last + 1));
    }
    // Edges between what was reached later.
    for (size_t next = 0; next < ordinals_.size(); ++next) TOPODB_TRY_VOID(Follow(next));
    for (const auto& [ends, risk] : edges_) {
      map_.edges.push_back({.from = ends.first, .to = ends.second, .risk = risk});
    }
    map_.left_out = states > map_.nodes.size() ? states - map_.nodes.size() : 0;
    return std::move(map_);
  }

 private:
  uint32_t LastColumn() const {
    uint32_t last = 0;
    for (const MapNode& node : map_.nodes) last = std::max(last, node.column);
    return last;
  }

  // Enters a state unless it is there already or there are enough.
  Status Reach(StateOrdinal state, uint32_t column) {
    if (places_.contains(state) || ordinals_.size() >= limit_) return {};
    const auto row =
        reader_.kv().Scan(store::RangeOf(store::Kind::kState, run_.number, state).begin,
                          store::RangeOf(store::Kind::kState, run_.number, state).end);
    TOPODB_TRY_VOID(row->status());
    if (!row->Valid()) return {};
    TOPODB_TRY(const State record, Decode<State>(row->value()));
    places_.emplace(state, ordinals_.size());
    ordinals_.push_back(state);
    TOPODB_TRY(std::string opener, names_.OpenerOf(record));
    MapNode& node = map_.nodes.emplace_back();
    node.note = std::move(opener);
    node.id = names_.ids()(record.id);
    node.label = LabelOf(record);
    node.link = fmt::format("s{}", state);
    node.column = column;
    return {};
  }

  Status Follow(size_t from) {
    const auto range = store::RangeOf(store::Kind::kAdjacency, run_.number, ordinals_[from]);
    const auto row = reader_.kv().Scan(range.begin, range.end);
    for (; row->Valid(); row->Next()) {
      TOPODB_TRY(const store::Key key, store::ParseKey(row->key()));
      TOPODB_TRY_VOID(Reach(key.to, map_.nodes[from].column + 1));
      const auto to = places_.find(key.to);
      if (to == places_.end()) continue;
      const uint8_t byte = row->value().empty() ? 1 : static_cast<uint8_t>(row->value().front());
      RiskLevel& risk = edges_[{from, to->second}];
      risk = std::max(risk, static_cast<RiskLevel>(std::clamp<uint8_t>(byte, 1, 3)));
    }
    return row->status();
  }

  const store::GraphReader& reader_;
  const store::StoredRun& run_;
  RunNames& names_;
  const size_t limit_;
  std::vector<StateOrdinal> ordinals_;  // by place
  std::unordered_map<StateOrdinal, size_t> places_;
  std::map<std::pair<size_t, size_t>, RiskLevel> edges_;
  StateMap map_;
};

struct Point {
  int x = 0, y = 0;
};

std::string DrawEdge(const Point& from, const Point& to, RiskLevel risk) {
  const int middle = kHeight / 2;
  const std::string_view style = ToString(risk);
  if (from.x < to.x) {
    const int start = from.x + kWidth;
    const int bend = (to.x - start) / 2;
    return fmt::format("<path class=\"{}\" d=\"M{} {}C{} {} {} {} {} {}\"/>", style, start,
                       from.y + middle, start + bend, from.y + middle, to.x - bend, to.y + middle,
                       to.x - 2, to.y + middle);
  }
  // Back, or to itself: below the boxes.
  const int low = std::max(from.y, to.y) + kHeight + kGapY - 4;
  return fmt::format("<path class=\"back {}\" d=\"M{} {}C{} {} {} {} {} {}\"/>", style,
                     from.x + kWidth / 2 + 12, from.y + kHeight, from.x + kWidth / 2 + 12, low,
                     to.x + kWidth / 2 - 12, low, to.x + kWidth / 2 - 12, to.y + kHeight + 2);
}

std::string DrawNode(const MapNode& node, const Point& at) {
  std::string text = fmt::format(
      "<g class=\"node {}\"><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
      "rx=\"7\"/><text x=\"{}\" y=\"{}\">{}</text><text class=\"note\" x=\"{}\" "
      "y=\"{}\">{}</text></g>",
      EscapeMarkup(node.style), EscapeMarkup(Shortened(node.label, 200)), at.x, at.y, kWidth,
      kHeight, at.x + 10, at.y + 19, EscapeMarkup(Shortened(node.label, kLabelBytes)), at.x + 10,
      at.y + 36, EscapeMarkup(Shortened(node.note, kNoteBytes)));
  if (node.link.empty()) return text;
  return fmt::format("<a href=\"#{}\">{}</a>", EscapeMarkup(node.link), text);
}

}  // namespace

Result<StateMap> MapOf(const store::GraphReader& reader, const store::StoredRun& run,
                       RunNames& names, size_t limit) {
  return MapBuilder(reader, run, names, limit).Build();
}

std::string DrawMap(const StateMap& map) {
  std::vector<Point> points;
  std::map<uint32_t, int> used;  // rows of each column
  int width = 0, height = 0;
  for (const MapNode& node : map.nodes) {
    const Point at = {kMargin + static_cast<int>(node.column) * (kWidth + kGapX),
                      kMargin + used[node.column]++ * (kHeight + kGapY)};
    width = std::max(width, at.x + kWidth + kMargin);
    height = std::max(height, at.y + kHeight + kGapY + kMargin);
    points.push_back(at);
  }
  std::string svg = fmt::format(
      "<svg role=\"img\" aria-label=\"Map of states\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} "
      "{}\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 "
      "8z\"/></marker></defs>",
      width, height, width, height);
  for (const MapEdge& edge : map.edges) {
    svg += DrawEdge(points.at(edge.from), points.at(edge.to), edge.risk);
  }
  for (size_t i = 0; i < map.nodes.size(); ++i) svg += DrawNode(map.nodes[i], points[i]);
  return svg + "</svg>";
}

}  // namespace topodb::query
