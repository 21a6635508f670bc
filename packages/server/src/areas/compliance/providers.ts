// Rules from v1 and v2 compliance providers, in a common form. This is the only file in the area that calls connectors;
// it ignores anything in a response that was not requested.
import {
  complianceProviderOperations as first,
  complianceProviderV2Operations as second,
  type BaseAttributeDto,
  type CertificateType,
  type ComplianceRuleStatus,
  type RequestAttributeDto,
  type Resource,
} from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { ConnectorClient, Connectors } from '../connectors/index.ts';
import { isMissing } from '../connectors/index.ts';

export interface ProviderRule {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly groupUuid: string | undefined;
  readonly resource: Resource;
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly attributes: readonly BaseAttributeDto[];
}

export interface ProviderGroup {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly resource: Resource | undefined;
}

export interface ProviderKey {
  readonly connectorUuid: string;
  readonly kind: string;
}

/** Connector kind that checks compliance. */
export interface Provider extends ProviderKey {
  readonly name: string;
  /** First-generation providers check only certificates. */
  readonly generation: 'first' | 'second';
  readonly client: ConnectorClient;
}

export interface ProviderCheckSubject {
  readonly resource: Resource;
  readonly type: string;
  readonly format: string | undefined;
  /** DER encoding of a certificate or request, or the known facts about a key. */
  readonly data: Buffer;
}

export interface RuleToCheck {
  readonly uuid: string;
  readonly attributes?: RequestAttributeDto[];
}

/** A group stands for all of its rules; v1 providers do not support groups here. */
export interface RequestedRules {
  readonly rules: readonly RuleToCheck[];
  readonly groups: readonly string[];
}

export interface Batch {
  readonly rules: ReadonlyMap<string, ProviderRule>;
  readonly groups: ReadonlyMap<string, ProviderGroup & { readonly rules: readonly ProviderRule[] }>;
}

export type Providers = ReturnType<typeof createProviders>;

export function createProviders({ connectors }: { readonly connectors: Pick<Connectors, 'client' | 'facts'> }) {
  /** Throws 404 if the connector does not exist, or 422 if it does not offer the kind. */
  async function reach({ connectorUuid, kind }: ProviderKey): Promise<Provider> {
    const { name, functionGroups } = await connectors.facts(connectorUuid);
    const offers = (code: string) => functionGroups.some((group) => group.code === code && group.kinds.includes(kind));
    const generation = offers('complianceProviderV2') ? 'second' : offers('complianceProvider') ? 'first' : undefined;
    if (!generation) {
      const ofCompliance = functionGroups.filter(({ code }) => code.startsWith('complianceProvider'));
      const kinds = ofCompliance.flatMap((group) => group.kinds).join(', ') || 'none';
      throw rejected(`The connector ${name} does not offer this kind of compliance provider; it offers ${kinds}.`);
    }
    return { connectorUuid, kind, name, generation, client: await connectors.client(connectorUuid) };
  }

  return { reach, listRules, listGroups, groupRules, batch, check };
}

/** Limits on waiting for a response. */
export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

type RuleFilter = {
  readonly resource?: Resource | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
};

async function listRules(provider: Provider, narrowing: RuleFilter, options: CallLimits = {}): Promise<ProviderRule[]> {
  const { client, kind } = provider;
  if (provider.generation === 'second') {
    const query = Object.fromEntries(Object.entries(narrowing).filter(([, value]) => value !== undefined));
    const rules = await client.call(second.listRules, { params: { kind }, query }, options);
    return rules.map(ruleOf).filter((rule) => fits(rule, narrowing));
  }
  const rules = await client.call(first.listRules, { params: { kind } }, options);
  return rules.flatMap((rule) => ruleFromV1(rule) ?? []).filter((rule) => fits(rule, narrowing));
}

const fits = (rule: ProviderRule, { resource, type, format }: RuleFilter): boolean =>
  (resource === undefined || rule.resource === resource) &&
  (type === undefined || rule.type === undefined || rule.type === type) &&
  (format === undefined || rule.format === undefined || rule.format === format);

async function listGroups(
  { client, kind, generation }: Provider,
  resource: Resource | undefined,
  options: CallLimits = {},
): Promise<ProviderGroup[]> {
  if (generation === 'second') {
    const query = resource === undefined ? {} : { resource };
    const groups = await client.call(second.listGroups, { params: { kind }, query }, options);
    return groups.map(groupOf).filter((group) => (group.resource ?? resource) === resource || resource === undefined);
  }
  if (resource !== undefined && resource !== 'certificates') return [];
  const groups = await client.call(first.listGroups, { params: { kind } }, options);
  return groups.filter(({ uuid }) => isUuid(uuid)).map((group) => groupOf({ ...group, resource: 'certificates' }));
}

async function groupRules(
  { client, kind, generation }: Provider,
  groupUuid: string,
  options: CallLimits = {},
): Promise<ProviderRule[]> {
  if (generation === 'second') {
    const rules = await client.call(second.getGroupRules, { params: { kind, groupUuid } }, options);
    return rules.map(ruleOf);
  }
  const rules = await client.call(first.listGroupDetails, { params: { kind, uuid: groupUuid } }, options);
  return rules.flatMap((rule) => ruleFromV1(rule) ?? []);
}

/** Returns the requested rules and groups that still exist at the provider; others are omitted. */
async function batch(
  provider: Provider,
  { ruleUuids, groupUuids }: { readonly ruleUuids: readonly string[]; readonly groupUuids: readonly string[] },
  options: CallLimits = {},
): Promise<Batch> {
  if (ruleUuids.length + groupUuids.length === 0) return { rules: new Map(), groups: new Map() };
  if (provider.generation === 'first') return fetchBatchFromV1(provider, { ruleUuids, groupUuids }, options);
  const { client, kind } = provider;
  const body = { ruleUuids: [...ruleUuids], groupUuids: [...groupUuids], withGroupRules: true };
  const answer = await client.call(second.getRulesBatch, { params: { kind }, body }, options);
  const asked = new Set([...ruleUuids, ...groupUuids]);
  const rules = answer.rules.map(ruleOf).filter(({ uuid }) => asked.has(uuid));
  // A provider may omit a group's rules even if they are requested.
  const groups = await Promise.all(
    answer.groups
      .filter(({ uuid }) => asked.has(uuid.toLowerCase()))
      .map(async ({ rules: ofGroup, ...group }) => ({
        ...groupOf(group),
        rules: ofGroup ? ofGroup.map(ruleOf) : await groupRulesIfPresent(provider, group.uuid, options),
      })),
  );
  return { rules: indexByUuid(rules), groups: indexByUuid(groups) };
}

async function fetchBatchFromV1(
  provider: Provider,
  { ruleUuids, groupUuids }: { readonly ruleUuids: readonly string[]; readonly groupUuids: readonly string[] },
  options: CallLimits = {},
): Promise<Batch> {
  const rules = ruleUuids.length === 0 ? [] : await listRules(provider, {}, options);
  const groups = groupUuids.length === 0 ? [] : await listGroups(provider, undefined, options);
  const asked = groups.filter(({ uuid }) => groupUuids.includes(uuid));
  const whole = await Promise.all(
    asked.map(async (group) => ({ ...group, rules: await groupRulesIfPresent(provider, group.uuid, options) })),
  );
  return { rules: indexByUuid(rules.filter(({ uuid }) => ruleUuids.includes(uuid))), groups: indexByUuid(whole) };
}

async function groupRulesIfPresent(
  provider: Provider,
  groupUuid: string,
  options: CallLimits = {},
): Promise<ProviderRule[]> {
  try {
    return await groupRules(provider, groupUuid, options);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns the provider's results; a rule can have no result or more than one. */
async function check(
  { client, kind, generation }: Provider,
  { object, rules, groups }: RequestedRules & { readonly object: ProviderCheckSubject },
  options: CallLimits = {},
): Promise<readonly { readonly uuid: string; readonly status: ComplianceRuleStatus }[]> {
  const { resource, type, format } = object;
  const data = object.data.toString('base64');
  if (generation === 'first') {
    const body = { certificate: data, rules: [...rules] };
    const answer = await client.call(first.checkCompliance, { params: { kind }, body }, options);
    return (answer.rules ?? []).map(({ uuid, status }) => ({ uuid: uuid.toLowerCase(), status }));
  }
  const body = {
    resource,
    type,
    ...(format === undefined ? {} : { format }),
    data,
    rules: [...rules],
    groups: [...groups],
  };
  const answer = await client.call(second.checkCompliance, { params: { kind }, body }, options);
  return answer.rules.map(({ uuid, status }) => ({ uuid: uuid.toLowerCase(), status }));
}

interface RuleV2 {
  readonly uuid: string;
  readonly groupUuid?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly resource: Resource;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly attributes?: readonly BaseAttributeDto[] | undefined;
}

const ruleOf = (rule: RuleV2): ProviderRule => ({
  uuid: rule.uuid.toLowerCase(),
  name: rule.name,
  description: rule.description,
  groupUuid: rule.groupUuid?.toLowerCase(),
  resource: rule.resource,
  type: rule.type,
  format: rule.format,
  attributes: rule.attributes ?? [],
});

/** The platform stores only UUIDs as identifiers, so a rule with any other identifier cannot be referenced. */
const ruleFromV1 = (
  rule: Omit<RuleV2, 'resource' | 'type' | 'format'> & { readonly certificateType: CertificateType },
): ProviderRule | undefined =>
  isUuid(rule.uuid)
    ? {
        ...ruleOf({ ...rule, resource: 'certificates', type: rule.certificateType }),
        groupUuid: rule.groupUuid !== undefined && isUuid(rule.groupUuid) ? rule.groupUuid.toLowerCase() : undefined,
      }
    : undefined;

const groupOf = (group: {
  readonly uuid: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly resource?: Resource | undefined;
}): ProviderGroup => ({
  uuid: group.uuid.toLowerCase(),
  name: group.name,
  description: group.description,
  resource: group.resource,
});

const indexByUuid = <Named extends { readonly uuid: string }>(list: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map(list.map((each) => [each.uuid, each]));
