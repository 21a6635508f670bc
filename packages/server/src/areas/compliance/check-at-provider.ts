// Checks objects at one provider. The request is prepared once for all objects with the same rules; only the responses
// differ per object.
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { ComplianceRuleStatus, RequestAttributeDto } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import type { CheckedObject, CheckParts } from './checked-object.ts';
import { concerns, worseOf } from './rule-results.ts';
import { outcomeOf, type Finding, type Outcome, type Outcomes } from './outcomes.ts';
import type { RequestedRules, Batch, CallLimits, Provider, ProviderRule } from './providers.ts';
import type { ProviderRuleRow } from './tables.ts';

/** A provider that takes longer is treated as not responding. */
const PROVIDER_TIMEOUT_MS = 15_000;
/** Maximum number of concurrent requests to a provider. */
const LANES = 4;
/** A built-in provider responds without yielding to the event loop, so other work gets a turn after this time. */
const TURN_MS = 10;

type Parts = Pick<CheckParts, 'providers' | 'attributes' | 'platform'>;

export interface ProviderCheck {
  /** Rules and groups from one connector kind. */
  readonly rows: readonly ProviderRuleRow[];
  readonly objects: readonly CheckedObject[];
  /** Returns the profiles that apply to an object. */
  readonly profilesOf: (object: CheckedObject) => readonly string[];
  readonly outcomes: Outcomes;
  readonly signal: AbortSignal | undefined;
}

export async function checkAtProvider(parts: Parts, facts: ProviderCheck): Promise<void> {
  const { rows, outcomes, signal } = facts;
  const note = ({ uuid }: CheckedObject, outcome: Outcome) => void outcomes.get(uuid)?.push(outcome);
  const concerned = groupSimilar(facts);
  const [row] = rows;
  if (!row || concerned.length === 0) return;
  const limits = { signal, timeoutMs: PROVIDER_TIMEOUT_MS };
  let known: { readonly provider: Provider; readonly batch: Batch };
  try {
    const provider = await parts.providers.reach({ connectorUuid: row.connector_uuid, kind: row.kind });
    const uuidsOf = (isGroup: boolean) => [
      ...new Set(rows.filter((each) => each.is_group === isGroup).map((each) => each.provider_uuid)),
    ];
    const asked = { ruleUuids: uuidsOf(false), groupUuids: uuidsOf(true) };
    known = { provider, batch: await parts.providers.batch(provider, asked, limits) };
  } catch (error) {
    for (const { objects, rows: own } of concerned) {
      const outcome = outcomeOf(own.map((each) => unavailable(rowFinding(each), reasonOf(error, each))));
      for (const object of objects) note(object, outcome);
    }
    return;
  }
  const values = await attributesOf(parts, rows);
  const work = concerned.flatMap(({ objects, rows: own }) => {
    const plan = planOf({ ...known, rows: own, values, like: objects[0] });
    return objects.map((object) => ({ object, plan }));
  });
  await runConcurrently(parts, work, async ({ object, plan }) =>
    note(object, await executePlan(parts, plan, { object, limits })),
  );
}

/** Objects with the same rules. */
interface SimilarObjects {
  readonly objects: readonly [CheckedObject, ...CheckedObject[]];
  readonly rows: readonly ProviderRuleRow[];
}

function groupSimilar({ rows, objects, profilesOf }: ProviderCheck): readonly SimilarObjects[] {
  const kindOf = (object: CheckedObject): string =>
    JSON.stringify([profilesOf(object), object.subject, object.type, object.format, object.data === undefined]);
  return [...Map.groupBy(objects, kindOf).values()].flatMap(([first, ...others]) => {
    const profiles = first ? profilesOf(first) : [];
    const own = rows.filter((row) => profiles.includes(row.profile_uuid));
    return first && own.length > 0 ? [{ objects: [first, ...others] as const, rows: own }] : [];
  });
}

type ValuesOfRules = ReadonlyMap<ProviderRuleRow, readonly RequestAttributeDto[]>;

interface PlanFacts {
  readonly provider: Provider;
  readonly batch: Batch;
  readonly rows: readonly ProviderRuleRow[];
  readonly values: ValuesOfRules;
  /** Any one of these objects, as a representative. */
  readonly like: CheckedObject;
}

/** Prepared request to a provider for objects with the same rules. */
interface Plan {
  readonly provider: Provider;
  readonly asked: RequestedRules;
  /** Results known before the provider is called. */
  readonly before: Outcome;
  readonly outcomeOf: (answers: ProviderResponses) => Outcome;
  readonly withoutAnswer: (reason: string) => Outcome;
}

type ProviderResponses = readonly { readonly uuid: string; readonly status: ComplianceRuleStatus }[];

/** Includes each rule once; rules of groups have no values. */
function planOf({ provider, batch, rows, values, like }: PlanFacts): Plan {
  const wanted = new Map<string, RuleToCheck>();
  const gone: Finding[] = [];
  for (const row of rows) {
    const there = row.is_group ? batch.groups.get(row.provider_uuid)?.rules : ruleAsList(batch, row);
    if (!there) {
      const reason = `${row.connector_name} no longer offers the ${row.is_group ? 'group' : 'rule'} ${row.name}.`;
      gone.push(unavailable(rowFinding(row), reason));
      continue;
    }
    const group = row.is_group ? row.provider_uuid : undefined;
    for (const rule of there)
      if (!wanted.has(rule.uuid) || !row.is_group)
        wanted.set(rule.uuid, { rule, values: values.get(row) ?? [], group });
  }
  const asked = [...wanted.values()].filter(({ rule }) => concernsObject(rule, like, provider));
  const described = asked.map(({ rule }) => ({ ...ruleFinding(rule), ...providerFacts(provider) }));
  const isUnknown = like.data === undefined;
  const before = isUnknown ? [...gone, ...described.map((rule) => ({ ...rule, status: 'na' as const }))] : gone;
  return {
    provider,
    asked: isUnknown ? NOTHING_ASKED : combineIntoGroups(asked, { provider, batch }),
    before: outcomeOf(before),
    outcomeOf: createReader(described, { gone, name: provider.name }),
    withoutAnswer: (reason) => outcomeOf([...gone, ...described.map((rule) => unavailable(rule, reason))]),
  };
}

interface RuleToCheck {
  readonly rule: ProviderRule;
  readonly values: readonly RequestAttributeDto[];
  /** Group through which the rule was added. */
  readonly group: string | undefined;
}

const NOTHING_ASKED: RequestedRules = { rules: [], groups: [] };

/**
 * Requests a whole group if all of its rules are wanted; otherwise, hundreds of rules would have to be listed
 * individually.
 */
function combineIntoGroups(
  asked: readonly RuleToCheck[],
  { provider, batch }: { readonly provider: Provider; readonly batch: Batch },
): RequestedRules {
  const counted = Map.groupBy(asked, ({ group }) => group);
  const isComplete = (group: string | undefined): group is string =>
    group !== undefined &&
    provider.generation === 'second' &&
    counted.get(group)?.length === batch.groups.get(group)?.rules.length;
  return {
    groups: [...counted.keys()].filter(isComplete),
    rules: asked
      .filter(({ group }) => !isComplete(group))
      .map(({ rule, values }) => ({ uuid: rule.uuid, ...(values.length === 0 ? {} : { attributes: [...values] }) })),
  };
}

type RuleFacts = Omit<Finding, 'status'>;

/**
 * Ignores results for rules that were not requested. A rule without a result was not checked; if a rule has multiple
 * results, the worst one applies.
 */
function createReader(described: readonly RuleFacts[], { gone, name }: { gone: readonly Finding[]; name: string }) {
  const known = new Map<string, Outcome>();
  const findingOf = (rule: RuleFacts, status: ComplianceRuleStatus | undefined): Finding => {
    if (status === undefined) return unavailable(rule, `${name} returned no result for the rule ${rule.name}.`);
    if (status === 'not_available') return unavailable(rule, `${name} could not check the rule ${rule.name}.`);
    return { ...rule, status };
  };
  return (answers: ProviderResponses): Outcome => {
    const statuses = new Map<string, ComplianceRuleStatus>();
    for (const { uuid, status } of answers) {
      const other = statuses.get(uuid);
      statuses.set(uuid, other === undefined ? status : worseOf(other, status));
    }
    const key = described.map(({ uuid }) => statuses.get(uuid)).join(' ');
    const made =
      known.get(key) ?? outcomeOf([...gone, ...described.map((rule) => findingOf(rule, statuses.get(rule.uuid)))]);
    known.set(key, made);
    return made;
  };
}

interface ObjectCheck {
  readonly object: CheckedObject;
  readonly limits: CallLimits;
}

async function executePlan({ providers }: Parts, plan: Plan, { object, limits }: ObjectCheck): Promise<Outcome> {
  const { provider, asked } = plan;
  const { subject: resource, type, format, data } = object;
  if (asked.rules.length + asked.groups.length === 0 || data === undefined) return plan.before;
  try {
    return plan.outcomeOf(
      await providers.check(provider, { object: { resource, type, format, data }, ...asked }, limits),
    );
  } catch (error) {
    return plan.withoutAnswer(reasonOf(error, { connector_name: provider.name }));
  }
}

function ruleAsList({ rules }: Batch, { provider_uuid: uuid }: ProviderRuleRow): readonly ProviderRule[] | undefined {
  const rule = rules.get(uuid);
  return rule && [rule];
}

const concernsObject = (rule: ProviderRule, object: CheckedObject, { generation }: Provider): boolean =>
  (generation === 'second' || object.subject === 'certificates') &&
  concerns(rule, { resource: object.subject, type: object.type, format: object.format });

/** Returns the values of the rules that have attributes. */
async function attributesOf(
  { attributes }: Pick<Parts, 'attributes'>,
  rows: readonly ProviderRuleRow[],
): Promise<ValuesOfRules> {
  const given = rows.filter((row) => row.has_attributes);
  const read = await Promise.all(
    given.map(async (row) => {
      const { object, scope } = valueSet(row);
      return [row, await attributes.readForConnector(object, scope)] as const;
    }),
  );
  return new Map(read);
}

/** Returns the key under which the values of a profile's rule are stored. */
export const valueSet = (row: Pick<ProviderRuleRow, 'profile_uuid' | 'connector_uuid' | 'kind' | 'provider_uuid'>) => ({
  object: { resource: 'complianceProfiles', uuid: row.profile_uuid } as const,
  scope: { connectorUuid: row.connector_uuid, purpose: `${row.kind}/${row.provider_uuid}` },
});

const providerFacts = ({ connectorUuid, name: connectorName, kind }: Provider) => ({
  connectorUuid,
  connectorName,
  kind,
});

const ruleFinding = ({ uuid, name, description, resource }: ProviderRule) => ({
  uuid,
  name,
  resource,
  ...(description === undefined ? {} : { description }),
});

const rowFinding = (row: ProviderRuleRow): RuleFacts => ({
  uuid: row.provider_uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  resource: row.resource ?? 'certificates',
  connectorUuid: row.connector_uuid,
  connectorName: row.connector_name,
  kind: row.kind,
});

const unavailable = (rule: RuleFacts, reason: string): Finding => ({ ...rule, status: 'not_available', reason });

/** Other errors are internal and meaningless to readers of the result. */
const reasonOf = (error: unknown, { connector_name: name }: Pick<ProviderRuleRow, 'connector_name'>): string =>
  isAppError(error) ? error.message : `${name} could not be called.`;

async function runConcurrently<Item>(
  { platform: { clock } }: Pick<Parts, 'platform'>,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let sinceMs = clock.monotonicMs();
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      await work(item);
      if (clock.monotonicMs() - sinceMs < TURN_MS) continue;
      await letOthersRun();
      sinceMs = clock.monotonicMs();
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, items.length) }, worker));
}
