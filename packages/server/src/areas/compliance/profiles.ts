// Compliance profile use cases. Providers are called before a transaction begins, never inside one.
import type {
  BulkActionMessageDto,
  ComplianceProfileDtoV2,
  ComplianceProfileGroupsPatchRequestDto,
  ComplianceProfileListDto,
  ComplianceProfileRequestDtoV2,
  ComplianceProfileRulesPatchRequestDto,
  ComplianceProfileUpdateRequestDto,
  ProviderComplianceRulesDto,
  ProviderComplianceRulesRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, evaluateTogether, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { removeEach } from '../../platform/objects/remove-each.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { valueSet } from './check-at-provider.ts';
import type { ProviderKey, Providers } from './providers.ts';
import {
  presentInternalRule,
  presentProviderGroup,
  presentProviderRule,
  presentSummary,
  type Availability,
} from './present.ts';
import * as store from './store.ts';
import { internalRules, profiles } from './store.ts';
import type { ProfileRow, ProviderRuleRow } from './tables.ts';

/** Timeout of provider calls while a profile is displayed. */
const LOOK_MS = 5_000;

export interface ProfileParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly providers: Providers;
}

interface ServiceParts extends ProfileParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

/** Rule or group to add, with its values. */
interface AcceptedRule {
  readonly row: Omit<ProviderRuleRow, 'profile_uuid' | 'added_at'>;
  readonly attributes: readonly RequestAttributeDto[];
}

export type ProfileService = ReturnType<typeof createProfileService>;

export function createProfileService(platform: Platform, parts: ProfileParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('complianceProfiles') };
  const { executor } = platform.database;
  return {
    list: async (): Promise<ComplianceProfileListDto[]> => (await store.findSummaries(executor)).map(presentSummary),
    detail: (uuid: string, context: RequestContext) => detail(service, uuid, context),
    create: (request: ComplianceProfileRequestDtoV2, context: RequestContext) => create(service, request, context),
    update: (uuid: string, request: ComplianceProfileUpdateRequestDto, context: RequestContext) =>
      update(service, uuid, request, context),
    patchRule: (uuid: string, request: ComplianceProfileRulesPatchRequestDto, context: RequestContext) =>
      patchRule(service, uuid, request, context),
    patchGroup: (uuid: string, request: ComplianceProfileGroupsPatchRequestDto, context: RequestContext) =>
      patchGroup(service, uuid, request, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, { context, force: false }),
    removeMany: (uuids: readonly string[], options: Removal): Promise<BulkActionMessageDto[]> =>
      removeEach(
        uuids,
        (uuid) => profiles.findOne(executor, uuid),
        (uuid) => remove(service, uuid, options),
      ),
  };
}

async function detail(service: ServiceParts, uuid: string, context: RequestContext): Promise<ComplianceProfileDtoV2> {
  const { executor } = service.platform.database;
  const row = await profiles.require(executor, uuid);
  const [internal, ofProviders, customAttributes] = await Promise.all([
    store.findInternalRules(executor, [uuid]),
    store.findProviderRules(executor, [uuid]),
    service.values.read(uuid, context),
  ]);
  const byProvider = [...Map.groupBy(ofProviders, (each) => `${each.connector_uuid} ${each.kind}`).values()];
  return {
    uuid,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    internalRules: internal.map(presentInternalRule),
    providerRules: await Promise.all(byProvider.map((rows) => presentProvider(service, rows, context))),
    customAttributes,
  };
}

async function presentProvider(
  service: ServiceParts,
  rows: readonly ProviderRuleRow[],
  context: RequestContext,
): Promise<ProviderComplianceRulesDto> {
  const [first] = rows;
  if (!first) throw new Error('A group of rows must have a first row.');
  const now = await availability(service, rows, context);
  const rules = rows.filter((row) => !row.is_group);
  return {
    connectorUuid: first.connector_uuid,
    connectorName: first.connector_name,
    kind: first.kind,
    rules: await Promise.all(rules.map(async (row) => presentProviderRule(row, now, await attributesOf(service, row)))),
    groups: rows.filter((row) => row.is_group).map((row) => presentProviderGroup(row, now)),
  };
}

const attributesOf = async ({ attributes }: ServiceParts, row: ProviderRuleRow) => {
  if (!row.has_attributes) return [];
  const { object, scope } = valueSet(row);
  return attributes.read(object, scope);
};

async function availability(
  { providers }: ServiceParts,
  rows: readonly ProviderRuleRow[],
  { signal }: RequestContext,
): Promise<Availability> {
  const [first] = rows;
  const uuids = (isGroup: boolean) => rows.filter((row) => row.is_group === isGroup).map((row) => row.provider_uuid);
  try {
    const provider = await providers.reach({ connectorUuid: first?.connector_uuid ?? '', kind: first?.kind ?? '' });
    const asked = { ruleUuids: uuids(false), groupUuids: uuids(true) };
    return await providers.batch(provider, asked, { signal, timeoutMs: LOOK_MS });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { unavailable: error.message };
  }
}

async function create(
  service: ServiceParts,
  request: ComplianceProfileRequestDtoV2,
  context: RequestContext,
): Promise<ComplianceProfileDtoV2> {
  const { clock } = service.platform;
  const [customValues, accepted] = await evaluateTogether(
    service.values.accept(request.customAttributes, context),
    acceptAll(service, request.providerRules ?? [], context),
  );
  const [uuid, now] = [newUuid(), clock.now()];
  const row: ProfileRow = {
    uuid,
    name: request.name,
    description: request.description || null,
    created_at: now,
    updated_at: now,
  };
  await rejectTakenName(profiles, request.name, () =>
    service.audit.change(context, async (tx) => {
      await profiles.insert(tx, row);
      await addInternal(tx, uuid, request.internalRules ?? []);
      await storeAccepted(tx, service, { profileUuid: uuid, accepted });
      await service.values.write(tx, uuid, customValues);
      return [row];
    }),
  );
  return detail(service, uuid, context);
}

/** Lists in the request replace the profile's lists. */
async function update(
  service: ServiceParts,
  uuid: string,
  request: ComplianceProfileUpdateRequestDto,
  context: RequestContext,
): Promise<ComplianceProfileDtoV2> {
  const { description, internalRules: internal, providerRules } = request;
  await profiles.require(service.platform.database.executor, uuid);
  const [customValues, accepted] = await evaluateTogether(
    service.values.accept(request.customAttributes, context, uuid),
    acceptAll(service, providerRules ?? [], context),
  );
  await service.audit.change(context, async (tx) => {
    const row = await profiles.lock(tx, uuid);
    await profiles.update(tx, uuid, {
      ...(description === undefined ? {} : { description: description || null }),
      updated_at: service.platform.clock.now(),
    });
    if (internal) {
      await store.removeInternalRules(tx, uuid);
      await addInternal(tx, uuid, internal);
    }
    if (providerRules) {
      await service.attributes.removeData(tx, 'complianceProfiles', [uuid]);
      await store.removeProviderRules(tx, uuid);
      await storeAccepted(tx, service, { profileUuid: uuid, accepted });
    }
    await service.values.write(tx, uuid, customValues);
    return [row];
  });
  return detail(service, uuid, context);
}

/** Locks the rules until the transaction ends; throws 404 if a rule does not exist. */
async function addInternal(tx: Executor, profileUuid: string, ruleUuids: readonly string[]): Promise<void> {
  const known = new Set((await internalRules.lockMany(tx, ruleUuids)).map(({ uuid }) => uuid));
  const unknown = ruleUuids.find((uuid) => !known.has(uuid.toLowerCase()));
  if (unknown !== undefined) throw notFound(internalRules.what, unknown);
  await store.addInternalRules(tx, profileUuid, [...known]);
}

async function storeAccepted(
  tx: Executor,
  { attributes, platform }: ServiceParts,
  { profileUuid, accepted }: { readonly profileUuid: string; readonly accepted: readonly AcceptedRule[] },
): Promise<void> {
  const now = platform.clock.now();
  const rows = accepted.map(({ row, ...given }) => ({
    row: { ...row, profile_uuid: profileUuid, added_at: now },
    ...given,
  }));
  await store.upsertProviderRules(
    tx,
    rows.map(({ row }) => row),
  );
  for (const each of rows)
    if (!each.row.is_group) await attributes.replaceValues(tx, { ...valueSet(each.row), attributes: each.attributes });
}

/** Returns rules and groups as their providers currently offer them; throws 422 for any that are not offered. */
async function acceptAll(
  service: ServiceParts,
  requested: readonly ProviderComplianceRulesRequestDto[],
  context: RequestContext,
): Promise<AcceptedRule[]> {
  const accepted = await Promise.all(requested.map((each) => acceptFromProvider(service, each, context)));
  return accepted.flat();
}

async function acceptFromProvider(
  service: ServiceParts,
  { connectorUuid, kind, rules = [], groups = [] }: ProviderComplianceRulesRequestDto,
  context: RequestContext,
): Promise<AcceptedRule[]> {
  const key: ProviderKey = { connectorUuid: connectorUuid.toLowerCase(), kind };
  const provider = await service.providers.reach(key);
  const ruleUuids = rules.map(({ uuid }) => uuid.toLowerCase());
  const groupUuids = groups.map((uuid) => uuid.toLowerCase());
  const there = await service.providers.batch(provider, { ruleUuids, groupUuids }, { signal: context.signal });
  const missing = [
    ...ruleUuids.filter((uuid) => !there.rules.has(uuid)).map((uuid) => `rule ${uuid}`),
    ...groupUuids.filter((uuid) => !there.groups.has(uuid)).map((uuid) => `group ${uuid}`),
  ];
  if (missing.length > 0)
    throw rejected(...missing.map((what) => `The connector ${provider.name} does not offer ${what}.`));
  const common = { connector_uuid: key.connectorUuid, connector_name: provider.name, kind };
  const acceptedRules = await Promise.all(
    [...there.rules.values()].map(async (rule): Promise<AcceptedRule> => {
      const attributes = await acceptValues(service, {
        connectorUuid: key.connectorUuid,
        definitions: rule.attributes,
        requested: rules.find(({ uuid }) => uuid.toLowerCase() === rule.uuid)?.attributes ?? [],
        context,
      });
      const known = { group_uuid: rule.groupUuid ?? null, type: rule.type ?? null, format: rule.format ?? null };
      const has = { is_group: false, has_attributes: attributes.length > 0 };
      return { row: { ...common, ...factsOf(rule), ...known, ...has }, attributes };
    }),
  );
  const ofGroup = { is_group: true, has_attributes: false, group_uuid: null, type: null, format: null };
  return [
    ...acceptedRules,
    ...[...there.groups.values()].map((group) => ({
      row: { ...common, ...factsOf(group), ...ofGroup },
      attributes: [],
    })),
  ];
}

const factsOf = (
  described: Pick<ProviderRuleRow, 'name'> & {
    readonly uuid: string;
    readonly description: string | undefined;
    readonly resource: ProviderRuleRow['resource'] | undefined;
  },
) => ({
  provider_uuid: described.uuid,
  name: described.name,
  description: described.description ?? null,
  resource: described.resource ?? null,
});

interface SubmittedValues {
  readonly connectorUuid: string;
  readonly definitions: Parameters<AttributeEngine['validate']>[0]['definitions'];
  readonly requested: readonly RequestAttributeDto[];
  readonly context: RequestContext;
}

async function acceptValues({ attributes }: ServiceParts, given: SubmittedValues): Promise<RequestAttributeDto[]> {
  const { connectorUuid, definitions, requested, context } = given;
  if (definitions.length === 0 && requested.length === 0) return [];
  await attributes.assertCredentialsUsable(requested, context);
  return attributes.validate({ connectorUuid, definitions, requested });
}

async function patchRule(
  service: ServiceParts,
  uuid: string,
  request: ComplianceProfileRulesPatchRequestDto,
  context: RequestContext,
): Promise<void> {
  const { removal, connectorUuid, kind, attributes } = request;
  const ruleUuid = request.ruleUuid.toLowerCase();
  if (connectorUuid === undefined || kind === undefined) {
    if (connectorUuid !== undefined || kind !== undefined)
      throw rejected('A provider rule requires both connectorUuid and kind; an internal rule requires neither.');
    await service.audit.change(context, async (tx) => {
      const row = await profiles.lock(tx, uuid);
      if (removal) await store.removeInternalRules(tx, uuid, ruleUuid);
      else await addInternal(tx, uuid, [ruleUuid]);
      return [row];
    });
    return;
  }
  const key = { connector_uuid: connectorUuid.toLowerCase(), kind, is_group: false, provider_uuid: ruleUuid };
  if (removal) return removeProviderRule(service, uuid, { key, context });
  const rules = [{ uuid: ruleUuid, ...(attributes ? { attributes } : {}) }];
  await addToProfile(service, uuid, { requested: { connectorUuid, kind, rules }, context });
}

async function patchGroup(
  service: ServiceParts,
  uuid: string,
  { removal, groupUuid, connectorUuid, kind }: ComplianceProfileGroupsPatchRequestDto,
  context: RequestContext,
): Promise<void> {
  const provider_uuid = groupUuid.toLowerCase();
  const key = { connector_uuid: connectorUuid.toLowerCase(), kind, is_group: true, provider_uuid };
  if (removal) return removeProviderRule(service, uuid, { key, context });
  await addToProfile(service, uuid, { requested: { connectorUuid, kind, groups: [groupUuid] }, context });
}

async function addToProfile(
  service: ServiceParts,
  uuid: string,
  { requested, context }: { readonly requested: ProviderComplianceRulesRequestDto; readonly context: RequestContext },
): Promise<void> {
  await profiles.require(service.platform.database.executor, uuid);
  const accepted = await acceptFromProvider(service, requested, context);
  await service.audit.change(context, async (tx) => {
    const row = await profiles.lock(tx, uuid);
    await storeAccepted(tx, service, { profileUuid: uuid, accepted });
    return [row];
  });
}

/** Also works if the provider no longer exists. */
async function removeProviderRule(
  service: ServiceParts,
  uuid: string,
  { key, context }: { readonly key: store.ProviderRuleKey; readonly context: RequestContext },
): Promise<void> {
  await service.audit.change(context, async (tx) => {
    const row = await profiles.lock(tx, uuid);
    if (!(await store.removeProviderRule(tx, uuid, key)))
      throw notFound(
        key.is_group ? 'Compliance group in the profile' : 'Compliance rule in the profile',
        key.provider_uuid,
      );
    if (!key.is_group)
      await service.attributes.replaceValues(tx, { ...valueSet({ ...key, profile_uuid: uuid }), attributes: [] });
    return [row];
  });
}

export interface Removal {
  readonly context: RequestContext;
  /** Deletes the profile even if it has associations. */
  readonly force: boolean;
}

async function remove({ audit, attributes }: ServiceParts, uuid: string, { context, force }: Removal): Promise<void> {
  await audit.change(context, async (tx) => {
    const row = await profiles.lock(tx, uuid);
    const associations = await store.findAssociations(tx, [uuid]);
    if (associations.length > 0 && !force)
      throw rejected(
        `Cannot delete compliance profile ${row.name}: it is associated with ${associations.length} ${associations.length === 1 ? 'object' : 'objects'}. Remove the associations first, or force the deletion.`,
      );
    await attributes.removeObjects(tx, 'complianceProfiles', [uuid]);
    await profiles.removeMany(tx, [uuid]);
    return [row];
  });
}
