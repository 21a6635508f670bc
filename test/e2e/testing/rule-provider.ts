// A compliance provider of both interface generations whose responses are chosen by the test.
import {
  dataAttribute,
  defineConnector,
  developmentContext,
  serveConnector,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { ComplianceRuleStatus } from '@signetry/contract';

export const RULE_KIND = 'rules';
export const FIRST_KIND = 'first-rules';

const uuidOf = (number: number): string => `0193f0a2-7171-7000-8000-${String(number).padStart(12, '0')}`;

export const LIMIT = dataAttribute({ uuid: uuidOf(1), name: 'data_limit', label: 'Limit', contentType: 'integer' });
export const GROUP = { uuid: uuidOf(10), name: 'Names', resource: 'certificates' as const };
export const IN_GROUP = {
  uuid: uuidOf(11),
  groupUuid: GROUP.uuid,
  name: 'Named well',
  resource: 'certificates' as const,
};
export const WITH_LIMIT = {
  uuid: uuidOf(12),
  name: 'Short-lived',
  description: 'Certificates end soon.',
  resource: 'certificates' as const,
  attributes: [LIMIT],
};
export const KEY_RULE = { uuid: uuidOf(13), name: 'Long key', resource: 'keys' as const };
const ALL = [IN_GROUP, WITH_LIMIT, KEY_RULE];

/** `hang` never responds, `lie` responds about a different rule, `silent` about none. */
export type Behavior = ComplianceRuleStatus | 'hang' | 'lie' | 'silent';

export interface RuleProvider {
  readonly url: string;
  behaviour: Behavior;
  /** Rules that the provider no longer has. */
  readonly gone: Set<string>;
  /** Bodies of check requests, newest last. */
  readonly asked: unknown[];
  close(): Promise<void>;
}

const isInGroup = (rule: object): boolean => 'groupUuid' in rule;

export async function startRuleProvider(): Promise<RuleProvider> {
  const state = { behaviour: 'ok' as Behavior, gone: new Set<string>(), asked: [] as unknown[] };
  const rules = () => ALL.filter(({ uuid }) => !state.gone.has(uuid));
  const rulesOfFirst = () =>
    rules().flatMap(({ resource, ...rule }) =>
      resource === 'certificates' ? [{ ...rule, certificateType: 'X.509' as const }] : [],
    );

  async function respond(body: unknown, asked: readonly { readonly uuid: string }[]) {
    state.asked.push(body);
    const { behaviour } = state;
    if (behaviour === 'hang') await new Promise(() => undefined);
    if (behaviour === 'silent' || behaviour === 'hang') return { status: 'ok' as const, rules: [] };
    if (behaviour === 'lie')
      return { status: 'ok' as const, rules: [{ uuid: uuidOf(99), name: 'Other', status: 'ok' as const }] };
    const status = behaviour;
    return { status: 'ok' as const, rules: asked.map(({ uuid }) => ({ uuid, name: 'Rule', status })) };
  }

  const second: FunctionHandlers<'complianceProviderV2'> = {
    listRules: ({ query }) => rules().filter(({ resource }) => (query.resource ?? resource) === resource),
    getRulesBatch: ({ body }) => ({
      rules: rules().filter(({ uuid }) => body.ruleUuids.includes(uuid)),
      groups: [GROUP].filter(({ uuid }) => body.groupUuids.includes(uuid)),
    }),
    getRule: ({ params }) => rules().find(({ uuid }) => uuid === params.ruleUuid) ?? WITH_LIMIT,
    listGroups: () => [GROUP],
    getGroup: () => GROUP,
    getGroupRules: () => rules().filter(isInGroup),
    checkCompliance: ({ body }) =>
      respond(body, [...body.rules, ...(body.groups.includes(GROUP.uuid) ? rules().filter(isInGroup) : [])]),
  };
  const first: FunctionHandlers<'complianceProvider'> = {
    listRules: rulesOfFirst,
    listGroups: () => [{ uuid: GROUP.uuid, name: GROUP.name }],
    listGroupDetails: () => rulesOfFirst().filter((rule) => 'groupUuid' in rule),
    checkCompliance: ({ body }) => respond(body, body.rules ?? []),
  };
  const connector = defineConnector({
    name: 'rule-provider',
    functions: { complianceProvider: { kinds: [FIRST_KIND] }, complianceProviderV2: { kinds: [RULE_KIND] } },
    create: () => ({ functions: { complianceProvider: first, complianceProviderV2: second } }),
  });
  const { url, close } = await serveConnector(connector, { context: developmentContext() });
  return Object.assign(state, { url, close });
}
