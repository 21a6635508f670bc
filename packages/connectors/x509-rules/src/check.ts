// Checks one object against the rules of a profile.
import { octetsOf, refuseIf, validateAttributes } from '@signetry/connector-sdk';
import type { ComplianceRuleStatus, ComplianceStatus, RequestAttributeDto } from '@signetry/contract';
import { findRule, type CatalogueRule } from './catalogue.ts';
import { parametersOf } from './rule-attributes.ts';
import type { Judge, SubjectKind } from './subjects.ts';

export interface AskedRule {
  readonly uuid: string;
  readonly attributes?: readonly RequestAttributeDto[] | undefined;
}

export interface RuleResult {
  readonly uuid: string;
  readonly name: string;
  readonly status: ComplianceRuleStatus;
}

/** Parses the object from Base64; throws if it is malformed. */
export const openObject = (kind: SubjectKind, data: string): Judge => kind.open(octetsOf(data));

/**
 * Returns one result for each requested rule, without duplicates. Attribute values are validated before any rule is
 * applied.
 */
export function resultsOf(asked: readonly AskedRule[], { kind, judge }: { kind: SubjectKind; judge: Judge }) {
  const distinct = new Map<string, Found>();
  for (const { uuid, attributes = [] } of asked) {
    const rule = findRule(uuid);
    distinct.set(rule?.shown.uuid ?? uuid.toLowerCase(), { uuid, rule, given: attributes });
  }
  const found = [...distinct.values()];
  refuseIf(found.flatMap(problemsOf));
  return found.map((each) => resultOf(each, { kind, judge }));
}

interface Found {
  readonly uuid: string;
  readonly rule: CatalogueRule | undefined;
  readonly given: readonly RequestAttributeDto[];
}

const NO_PROBLEMS: readonly string[] = [];

const problemsOf = ({ rule, given }: Found): readonly string[] =>
  rule && given.length > 0
    ? validateAttributes(rule.attributes, given).map((problem) => `${rule.id}: ${problem}`)
    : NO_PROBLEMS;

function resultOf({ uuid, rule, given }: Found, of: { kind: SubjectKind; judge: Judge }): RuleResult {
  if (!rule) return { uuid, name: uuid, status: 'not_available' };
  return { uuid, name: rule.id, status: statusOf(rule, given, of) };
}

function statusOf(
  rule: CatalogueRule,
  given: readonly RequestAttributeDto[],
  { kind, judge }: { kind: SubjectKind; judge: Judge },
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
