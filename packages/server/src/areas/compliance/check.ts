// Checks objects against all rules that apply to them, without writing anything. A check always completes: if
// evaluating a rule or an object fails, the failure becomes its status.
import type { ComplianceStatus } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import { checkAtProvider } from './check-at-provider.ts';
import type { CheckedObject, CheckParts } from './checked-object.ts';
import { statusOf } from './rule-results.ts';
import { createCombiner, outcomeOf, type Outcome, type Outcomes } from './outcomes.ts';
import * as store from './store.ts';
import type { FailedRule, InternalRuleRow } from './tables.ts';

export interface CheckResult {
  readonly object: CheckedObject;
  readonly status: ComplianceStatus;
  readonly message: string | undefined;
  readonly rules: readonly FailedRule[];
}

export type CheckObjects = ReturnType<typeof createCheck>;

export const createCheck = (parts: CheckParts) => (objects: readonly CheckedObject[], signal?: AbortSignal) =>
  checkAll(parts, objects, signal);

async function checkAll(
  parts: CheckParts,
  objects: readonly CheckedObject[],
  signal: AbortSignal | undefined,
): Promise<readonly CheckResult[]> {
  const { executor } = parts.platform.database;
  const profilesOf = await findProfiles(parts, objects);
  const all = [...new Set([...profilesOf.values()].flat())];
  const internal = await store.findInternalRules(executor, all);
  const ofProviders = await store.findProviderRules(executor, all);
  const outcomes: Outcomes = new Map(objects.map(({ uuid }) => [uuid, []]));
  const ofObject = (object: CheckedObject): readonly string[] => profilesOf.get(object.uuid) ?? [];
  for (const rules of Map.groupBy(internal, ({ uuid }) => uuid).values()) {
    const [rule] = rules;
    const concerned = objects.filter((object) => rules.some((each) => ofObject(object).includes(each.profile_uuid)));
    if (rule) await checkInternal(parts, { rule, objects: concerned, outcomes });
  }
  for (const rows of Map.groupBy(ofProviders, (row) => `${row.connector_uuid} ${row.kind}`).values())
    await checkAtProvider(parts, { rows, objects, profilesOf: ofObject, outcomes, signal });
  const join = createCombiner();
  return objects.map((object) => verdictOf(object, outcomes.get(object.uuid) ?? [], join));
}

/** Returns each object's compliance profiles. */
async function findProfiles({ platform }: CheckParts, objects: readonly CheckedObject[]) {
  const { executor } = platform.database;
  const containerOf = (object: CheckedObject) =>
    object.subject === 'keys' ? object.tokenProfileUuid : object.raProfileUuid;
  const uuidsOf = (isKey: boolean) => [
    ...new Set(
      objects.filter(({ subject }) => (subject === 'keys') === isKey).flatMap((each) => containerOf(each) ?? []),
    ),
  ];
  const [ofRaProfiles, ofTokenProfiles] = await Promise.all([
    store.findProfilesOf(executor, 'raProfiles', uuidsOf(false)),
    store.findProfilesOf(executor, 'tokenProfiles', uuidsOf(true)),
  ]);
  return new Map(
    objects.map((object) => {
      const found = object.subject === 'keys' ? ofTokenProfiles : ofRaProfiles;
      return [object.uuid, found.get(containerOf(object) ?? '') ?? []] as const;
    }),
  );
}

interface InternalCheck {
  readonly rule: InternalRuleRow;
  readonly objects: readonly CheckedObject[];
  readonly outcomes: Outcomes;
}

async function checkInternal(parts: CheckParts, { rule, objects, outcomes }: InternalCheck): Promise<void> {
  const { uuid, name, description, resource } = rule;
  const described = { uuid, name, resource, ...(description === null ? {} : { description }) };
  const [ok, nok, na] = (['ok', 'nok', 'na'] as const).map((status) => outcomeOf([{ ...described, status }]));
  const note = (object: CheckedObject, outcome: Outcome | undefined) =>
    void (outcome && outcomes.get(object.uuid)?.push(outcome));
  const concerned = objects.filter(({ subject }) => subject === resource);
  for (const object of objects) if (object.subject !== resource) note(object, na);
  if (concerned.length === 0) return;
  try {
    const fulfilling = await findFulfilling(parts, rule, concerned);
    for (const object of concerned) note(object, fulfilling.has(object.uuid) ? ok : nok);
  } catch (error) {
    // A field may have been removed since the rule was created, e.g. with its attribute.
    if (!isAppError(error)) throw error;
    const reason = `Cannot evaluate the rule ${name}: ${error.message}`;
    const unknown = outcomeOf([{ ...described, status: 'not_available', reason }]);
    for (const object of concerned) note(object, unknown);
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

function verdictOf(
  object: CheckedObject,
  outcomes: readonly Outcome[],
  join: ReturnType<typeof createCombiner>,
): CheckResult {
  const status = statusOf(outcomes.flatMap(({ statuses }) => statuses));
  return { object, status, ...join(outcomes) };
}
