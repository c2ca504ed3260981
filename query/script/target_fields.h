#pragma once

#include "query/exchange/record_fields.h"
#include "query/script/script.h"

// The JSON form of the annotation "target-v1", in the manner of record_fields.h.
namespace topodb::query {

template <class Archive, Is<LocatorDescriptor> T>
void Describe(Archive& a, T& d) {
  a.Required("strategy", d.strategy);
  DescribeTarget(a, d);
  a.Field("within", d.within);
  a.Field("nth", d.nth);
}

template <class Archive, Is<script::Expectation> T>
void Describe(Archive& a, T& e) {
  a.Required("fromStateId", e.from);
  a.Required("toStateId", e.state);
  a.Required("urlCanonicalKey", e.url_key);
  a.Field("modalStack", e.modal_stack);
  a.Required("templateKey", e.template_key);
  a.Field("unstableParts", e.unstable_parts);
  a.Field("effects", e.effects);
}

template <class Archive, Is<script::TargetRecord> T>
void Describe(Archive& a, T& t) {
  a.Required("identity", t.identity);
  a.Field("locators", t.locators);
  a.Field("expected", t.expected);
}

}  // namespace topodb::query
