#include "capture/describe_run.h"

#include "capture/guard/redact.h"
#include "capture/locate/locator_builder.h"
#include "schema/fingerprint.h"

namespace topodb::capture {

Run DescribeRun(const RunInput& input, const DriveOptions& options, const RiskPolicy& policy,
                const Clock& clock, const RunStamp& stamp, const Drive& drive) {
  const std::string seed = input.seed.value_or(input.input);
  Run run;
  run.id = stamp.id;
  run.name = input.name;
  run.input_url = RedactUrl(input.input);
  run.generated_at = clock.Now();
  run.engine_version = stamp.engine_version;
  run.mode = input.mode;
  run.input_seed = RedactUrl(seed);
  run.runtime_context = drive.runtime_context();
  run.risk_policy_version = kRiskPolicyVersion;
  run.normalization_rule_version = kNormalizationRuleVersion;
  run.locator_scoring_version = kLocatorScoringVersion;
  run.policy_hash = policy.content_hash();
  run.input_fingerprint =
      ComputeInputFingerprint(seed, run.mode, run.risk_policy_version, run.policy_hash,
                              run.normalization_rule_version, run.locator_scoring_version);
  run.clock = ToString(options.clock);
  run.guard = ToString(options.guard);
  run.warnings = drive.warnings();
  return run;
}

}  // namespace topodb::capture
