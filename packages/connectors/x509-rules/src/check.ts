// The check of one object by rules that a profile names.
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

/** Reads the object from Base64, or refuses it. */
export const openObject = (kind: SubjectKind, data: string): Judge => kind.open(octetsOf(data));

/** The result of each rule that is asked for, each once. Values of attributes are checked before any is applied. */
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
      // What is too malformed to be judged does not comply.
      return 'nok';
  }
}

/** Compliant means that no rule is violated and at least one applies. */
export function overallStatus(results: readonly RuleResult[]): ComplianceStatus {
  if (results.some(({ status }) => status === 'nok' || status === 'not_available')) return 'nok';
  return results.some(({ status }) => status === 'ok') ? 'ok' : 'na';
}
