// Checks objects against all rules that apply to them. Nothing is written here. Whatever goes wrong with a rule becomes
// its status, and whatever goes wrong with an object becomes the status of the object: a check always ends.
import type { ComplianceRuleStatus, ComplianceStatus, RequestAttributeDto } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { CheckedCertificate, CheckedCertificates } from '../certificates/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import { concerns, messageOf, statusOf, worseOf } from './domain.ts';
import type { Batch, CallLimits, Provider, ProviderRule, Providers } from './providers.ts';
import * as store from './store.ts';
import type { FailedRule, InternalRuleRow, ProviderRuleRow } from './tables.ts';

/** An answer that takes longer is none. */
const PROVIDER_TIMEOUT_MS = 15_000;
/** Objects that a provider is asked about at once. */
const LANES = 4;

export interface CheckedItem {
  readonly subject: 'keys';
  readonly uuid: string;
  readonly tokenProfileUuid: string | null;
  readonly type: string;
  readonly format: string;
  readonly data: Buffer | undefined;
}

export type CheckedObject = CheckedCertificate | CheckedItem;

export interface Verdict {
  readonly object: CheckedObject;
  readonly status: ComplianceStatus;
  readonly message: string | undefined;
  readonly rules: readonly FailedRule[];
}

export interface CheckParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly certificates: Pick<CheckedCertificates, 'fulfilling'>;
  readonly keys: Pick<CheckedKeys, 'fulfilling'>;
  readonly providers: Providers;
}

/** What is known of a rule of some object: `ok` ones are counted and forgotten. */
interface Finding extends Omit<FailedRule, 'status'> {
  readonly status: ComplianceRuleStatus;
}

type Findings = Map<string, Map<string, Finding>>;

export type CheckObjects = ReturnType<typeof createCheck>;

export const createCheck = (parts: CheckParts) => (objects: readonly CheckedObject[], signal?: AbortSignal) =>
  checkAll(parts, objects, signal);

async function checkAll(
  parts: CheckParts,
  objects: readonly CheckedObject[],
  signal: AbortSignal | undefined,
): Promise<readonly Verdict[]> {
  const { executor } = parts.platform.database;
  const profilesOf = await findProfiles(parts, objects);
  const all = [...new Set([...profilesOf.values()].flat())];
  const internal = await store.findInternalRules(executor, all);
  const ofProviders = await store.findProviderRules(executor, all);
  const findings: Findings = new Map(objects.map(({ uuid }) => [uuid, new Map()]));
  const appliesTo = (object: CheckedObject, profileUuid: string) =>
    (profilesOf.get(object.uuid) ?? []).includes(profileUuid);
  for (const rules of Map.groupBy(internal, ({ uuid }) => uuid).values()) {
    const [rule] = rules;
    const concerned = objects.filter((object) => rules.some((each) => appliesTo(object, each.profile_uuid)));
    if (rule) await checkInternal(parts, { rule, objects: concerned, findings });
  }
  for (const rows of Map.groupBy(ofProviders, (row) => `${row.connector_uuid} ${row.kind}`).values())
    await checkAtProvider(parts, { rows, objects, appliesTo, findings, signal });
  return objects.map((object) => verdictOf(object, [...(findings.get(object.uuid)?.values() ?? [])]));
}

/** Compliance profiles by object. */
async function findProfiles({ platform }: CheckParts, objects: readonly CheckedObject[]) {
  const { executor } = platform.database;
  const above = (object: CheckedObject) => (object.subject === 'keys' ? object.tokenProfileUuid : object.raProfileUuid);
  const uuidsOf = (isKey: boolean) => [
    ...new Set(objects.filter(({ subject }) => (subject === 'keys') === isKey).flatMap((each) => above(each) ?? [])),
  ];
  const [ofRaProfiles, ofTokenProfiles] = await Promise.all([
    store.findProfilesOf(executor, 'raProfiles', uuidsOf(false)),
    store.findProfilesOf(executor, 'tokenProfiles', uuidsOf(true)),
  ]);
  return new Map(
    objects.map((object) => {
      const found = object.subject === 'keys' ? ofTokenProfiles : ofRaProfiles;
      return [object.uuid, found.get(above(object) ?? '') ?? []] as const;
    }),
  );
}

function note(findings: Findings, object: CheckedObject, finding: Finding): void {
  const ofObject = findings.get(object.uuid);
  const key = `${finding.connectorUuid ?? ''} ${finding.kind ?? ''} ${finding.uuid}`;
  const known = ofObject?.get(key);
  if (known && worseOf(known.status, finding.status) === known.status) return;
  ofObject?.set(key, finding);
}

interface InternalCheck {
  readonly rule: InternalRuleRow;
  readonly objects: readonly CheckedObject[];
  readonly findings: Findings;
}

async function checkInternal(parts: CheckParts, { rule, objects, findings }: InternalCheck): Promise<void> {
  const { uuid, name, description, resource } = rule;
  const described = { uuid, name, resource, ...(description === null ? {} : { description }) };
  const concerned = objects.filter(({ subject }) => subject === resource);
  for (const object of objects) if (object.subject !== resource) note(findings, object, { ...described, status: 'na' });
  if (concerned.length === 0) return;
  try {
    const fulfilling = await findFulfilling(parts, rule, concerned);
    for (const object of concerned)
      note(findings, object, { ...described, status: fulfilling.has(object.uuid) ? 'ok' : 'nok' });
  } catch (error) {
    // A field may be gone since the rule was made, e.g. with its attribute.
    if (!isAppError(error)) throw error;
    const reason = `The rule ${name} cannot be evaluated: ${error.message}`;
    for (const object of concerned) note(findings, object, { ...described, status: 'not_available', reason });
  }
}

function findFulfilling(
  { certificates, keys }: CheckParts,
  { resource: subject, conditions: items }: InternalRuleRow,
  objects: readonly CheckedObject[],
): Promise<ReadonlySet<string>> {
  const uuids = objects.map(({ uuid }) => uuid);
  return subject === 'keys' ? keys.fulfilling(items, uuids) : certificates.fulfilling({ subject, items }, uuids);
}

interface ProviderCheck {
  /** Rules and groups of one kind of a connector. */
  readonly rows: readonly ProviderRuleRow[];
  readonly objects: readonly CheckedObject[];
  readonly appliesTo: (object: CheckedObject, profileUuid: string) => boolean;
  readonly findings: Findings;
  readonly signal: AbortSignal | undefined;
}

async function checkAtProvider(parts: CheckParts, facts: ProviderCheck): Promise<void> {
  const { rows, objects, appliesTo, findings, signal } = facts;
  const concerned = objects.filter((object) => rows.some((row) => appliesTo(object, row.profile_uuid)));
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
    for (const object of concerned)
      for (const each of rows.filter(({ profile_uuid: profile }) => appliesTo(object, profile)))
        note(findings, object, { ...rowFinding(each), status: 'not_available', reason: reasonOf(error, each) });
    return;
  }
  const values = await attributesOf(parts, rows);
  await inLanes(concerned, async (object) => {
    const own = rows.filter(({ profile_uuid: profile }) => appliesTo(object, profile));
    await checkOne(parts, { ...known, object, rows: own, values, findings, limits });
  });
}

type ValuesOfRules = ReadonlyMap<ProviderRuleRow, readonly RequestAttributeDto[]>;

interface OneCheck {
  readonly provider: Provider;
  readonly batch: Batch;
  readonly object: CheckedObject;
  readonly rows: readonly ProviderRuleRow[];
  readonly values: ValuesOfRules;
  readonly findings: Findings;
  readonly limits: CallLimits;
}

/** Of an object, the rules of one provider: each once, those of groups without values. */
async function checkOne(parts: CheckParts, facts: OneCheck): Promise<void> {
  const { provider, batch, object, rows, values, findings, limits } = facts;
  const wanted = new Map<
    string,
    { readonly rule: ProviderRule; readonly attributes: readonly RequestAttributeDto[] }
  >();
  for (const row of rows) {
    const there = row.is_group ? batch.groups.get(row.provider_uuid)?.rules : ruleAsList(batch, row);
    if (!there) {
      const reason = `${row.connector_name} no longer has the ${row.is_group ? 'group' : 'rule'} ${row.name}.`;
      note(findings, object, { ...rowFinding(row), status: 'not_available', reason });
      continue;
    }
    for (const rule of there)
      if (!wanted.has(rule.uuid) || !row.is_group) wanted.set(rule.uuid, { rule, attributes: values.get(row) ?? [] });
  }
  const asked = [...wanted.values()].filter(({ rule }) => concernsObject(rule, object, provider));
  if (asked.length === 0) return;
  const findingOf = (rule: ProviderRule) => ({ ...ruleFinding(rule), ...providerFacts(provider) });
  if (object.data === undefined) {
    for (const { rule } of asked) note(findings, object, { ...findingOf(rule), status: 'na' });
    return;
  }
  const { subject: resource, type, format, data } = object;
  const rules = asked.map(({ rule, attributes }) => ({ uuid: rule.uuid, attributes: [...attributes] }));
  try {
    const answers = await parts.providers.check(provider, { object: { resource, type, format, data }, rules }, limits);
    for (const { rule } of asked) note(findings, object, { ...findingOf(rule), ...answerOf(rule, answers, provider) });
  } catch (error) {
    const reason = reasonOf(error, { connector_name: provider.name });
    for (const { rule } of asked) note(findings, object, { ...findingOf(rule), status: 'not_available', reason });
  }
}

function ruleAsList({ rules }: Batch, { provider_uuid: uuid }: ProviderRuleRow): readonly ProviderRule[] | undefined {
  const rule = rules.get(uuid);
  return rule && [rule];
}

const concernsObject = (rule: ProviderRule, object: CheckedObject, { generation }: Provider): boolean =>
  (generation === 'second' || object.subject === 'certificates') &&
  concerns(rule, { resource: object.subject, type: object.type, format: object.format });

/** Answers about other rules do not count, and a rule without one was not checked. */
function answerOf(
  rule: ProviderRule,
  answers: readonly { readonly uuid: string; readonly status: ComplianceRuleStatus }[],
  { name }: Provider,
): Pick<Finding, 'status' | 'reason'> {
  const [firstOne, ...others] = answers.filter(({ uuid }) => uuid === rule.uuid).map(({ status }) => status);
  if (firstOne === undefined) return { status: 'not_available', reason: `${name} said nothing about ${rule.name}.` };
  const status = others.reduce(worseOf, firstOne);
  return status === 'not_available' ? { status, reason: `${name} could not check the rule ${rule.name}.` } : { status };
}

/** Values of the rules that take some. */
async function attributesOf({ attributes }: CheckParts, rows: readonly ProviderRuleRow[]): Promise<ValuesOfRules> {
  const given = rows.filter((row) => row.has_attributes);
  const read = await Promise.all(
    given.map(async (row) => {
      const { object, scope } = valueSet(row);
      return [row, await attributes.readForConnector(object, scope)] as const;
    }),
  );
  return new Map(read);
}

/** Where the values of a rule in a profile are kept. */
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

const rowFinding = (row: ProviderRuleRow): Omit<Finding, 'status'> => ({
  uuid: row.provider_uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  resource: row.resource ?? 'certificates',
  connectorUuid: row.connector_uuid,
  connectorName: row.connector_name,
  kind: row.kind,
});

/** Other errors are ours, and say nothing to whoever reads the result. */
const reasonOf = (error: unknown, { connector_name: name }: Pick<ProviderRuleRow, 'connector_name'>): string =>
  isAppError(error) ? error.message : `${name} could not be asked.`;

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(LANES, items.length) }, lane));
}

function verdictOf(object: CheckedObject, findings: readonly Finding[]): Verdict {
  const rules = findings.filter((finding): finding is FailedRule => finding.status !== 'ok');
  return { object, status: statusOf(findings.map(({ status }) => status)), message: messageOf(rules), rules };
}
