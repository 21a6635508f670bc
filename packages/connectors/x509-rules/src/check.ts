// Checks one object against the rules of a profile.
import { octetsOf, rejectIf, validateAttributes } from '@signetry/connector-sdk';
import type { ComplianceRuleStatus, ComplianceStatus, RequestAttributeDto } from '@signetry/contract';
import { findRule, type CatalogRule } from './catalog.ts';
import { parametersOf } from './rule-attributes.ts';
import type { RuleEvaluator, SubjectKind } from './subjects.ts';

export interface RequestedRule {
  readonly uuid: string;
  readonly attributes?: readonly RequestAttributeDto[] | undefined;
}

export interface RuleResult {
  readonly uuid: string;
  readonly name: string;
  readonly status: ComplianceRuleStatus;
}

/** Parses the object from Base64; throws if it is malformed. */
export const openObject = (kind: SubjectKind, data: string): RuleEvaluator => kind.open(octetsOf(data));

/**
 * Returns one result for each requested rule, without duplicates. Attribute values are validated before any rule is
 * applied.
 */
export function resultsOf(
  asked: readonly RequestedRule[],
  { kind, judge }: { kind: SubjectKind; judge: RuleEvaluator },
) {
  const distinct = new Map<string, RuleCheck>();
  for (const { uuid, attributes = [] } of asked) {
    const rule = findRule(uuid);
    distinct.set(rule?.shown.uuid ?? uuid.toLowerCase(), { uuid, rule, given: attributes });
  }
  const found = [...distinct.values()];
  rejectIf(found.flatMap(problemsOf));
  return found.map((each) => resultOf(each, { kind, judge }));
}

interface RuleCheck {
  readonly uuid: string;
  readonly rule: CatalogRule | undefined;
  readonly given: readonly RequestAttributeDto[];
}

const NO_PROBLEMS: readonly string[] = [];

const problemsOf = ({ rule, given }: RuleCheck): readonly string[] =>
  rule && given.length > 0
    ? validateAttributes(rule.attributes, given).map((problem) => `${rule.id}: ${problem}`)
    : NO_PROBLEMS;

function resultOf({ uuid, rule, given }: RuleCheck, of: { kind: SubjectKind; judge: RuleEvaluator }): RuleResult {
  if (!rule) return { uuid, name: uuid, status: 'not_available' };
  return { uuid, name: rule.id, status: statusOf(rule, given, of) };
}

function statusOf(
  rule: CatalogRule,
  given: readonly RequestAttributeDto[],
  { kind, judge }: { kind: SubjectKind; judge: RuleEvaluator },
): ComplianceRuleStatus {
  if (rule.kind !== kind) return 'na';
  switch (judge(rule.id, given.length === 0 ? undefined : parametersOf(rule.id, given)).status) {
    case 'ok':
      return 'ok';
    case 'notApplicable':
      return 'na';
    default:
      // An object that is too malformed to be checked does not comply.
      return 'nok';
  }
}

/** Returns "compliant" only if no rule is violated and at least one rule applies. */
export function overallStatus(results: readonly RuleResult[]): ComplianceStatus {
  if (results.some(({ status }) => status === 'nok' || status === 'not_available')) return 'nok';
  return results.some(({ status }) => status === 'ok') ? 'ok' : 'na';
}
