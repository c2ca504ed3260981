#include "query/similarity.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace topodb::query {
namespace {

Element Save() {
  Element element;
  element.tag = "button";
  element.role = "button";
  element.accessible_name = "Save changes";
  element.text = "Save changes";
  element.bbox = {100, 100, 80, 30};
  element.attributes = {{"id", "save"}, {"type", "submit"}};
  element.context = {{ContextKind::kForm, "form", "Profile", std::nullopt, std::nullopt}};
  return element;
}

struct Case {
  std::string name;
  std::function<void(Element&)> change;
  double least, most;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SimilarityOf : public ::testing::TestWithParam<Case> {};

TEST_P(SimilarityOf, LiesBetween) {
  const Element save = Save();
  Element other = Save();
  GetParam().change(other);
  const double similarity = Traits::Similarity(Traits(save), Traits(other));
  EXPECT_GE(similarity, GetParam().least);
  EXPECT_LE(similarity, GetParam().most);
  EXPECT_EQ(similarity, Traits::Similarity(Traits(other), Traits(save)));
}

INSTANTIATE_TEST_SUITE_P(
    Changes, SimilarityOf,
    ::testing::Values(
        Case{"nothing", [](Element&) {}, 1, 1},
        Case{"position_says_least", [](Element& e) { e.bbox.y += 4000; }, 0.9, 0.99},
        Case{"container_says_more", [](Element& e) { e.context[0].name = "Account"; }, 0.8, 0.95},
        Case{"name_says_much", [](Element& e) { e.accessible_name = e.text = "Store"; }, 0.7, 0.9},
        Case{"a_longer_name_is_alike",
             [](Element& e) { e.accessible_name = e.text = "Save all changes"; }, 0.9, 0.99},
        Case{"another_role_is_alike", [](Element& e) { e.role = "link"; }, 0.7, 0.9},
        Case{"nothing_of_its_own_in_common",
             [](Element& e) {
               e.accessible_name = e.text = "Delete";
               e.attributes = {{"id", "delete"}, {"type", "submit"}};
             },
             0, 0},
        Case{"another_thing_in_the_same_place",
             [](Element& e) {
               e.role = e.tag = "link";
               e.accessible_name = e.text = "Help";
               e.attributes = {{"href", "/help"}};
             },
             0, kLeastSimilarity},
        Case{"ids_of_one_load_are_no_ids",
             [](Element& e) {
               e.accessible_name = e.text = "Delete";
               e.attributes[0].second = "btn-8f3a9c2e71";
             },
             0, 0}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace topodb::query
