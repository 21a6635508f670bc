// Use cases of token profiles. Connectors are called before a transaction begins, never inside one.
import type {
  AddTokenProfileRequestDto,
  EditTokenProfileRequestDto,
  KeyUsage,
  RequestAttributeDto,
  TokenProfileDetailDto,
  TokenProfileDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, evaluateTogether, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { omittedAttributesData, type AttributeEngine, type CustomValues } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { requirePermission } from '../identity/index.ts';
import { usageMask } from './usage-mask.ts';
import { presentTokenProfile } from './present.ts';
import { holdForUse, tokenProfiles, tokens } from './store.ts';
import type { TokenProfileRow, TokenRow } from './tables.ts';
import { profileForm, type TokenAccess } from './token-access.ts';

export interface TokenProfileServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly access: TokenAccess;
}

/** Profile referenced by a request, with or without its token. */
export interface TokenProfileKey {
  readonly profileUuid: string;
  readonly tokenUuid?: string;
}

interface ServiceParts extends TokenProfileServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

export type TokenProfileService = ReturnType<typeof createTokenProfileService>;

export function createTokenProfileService(platform: Platform, parts: TokenProfileServiceParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('tokenProfiles') };
  return {
    list: (filter: { enabled?: boolean | undefined }) => list(service, filter),
    require: (key: TokenProfileKey) => require(service, key),
    /** Returns the profile to a caller who is changing its custom attributes. Its token must also be visible. */
    holder: (uuid: string, context: RequestContext) => holder(service, uuid, context),
    detail: (key: TokenProfileKey, context: RequestContext) => detail(service, key, context),
    create: (tokenUuid: string, request: AddTokenProfileRequestDto, context: RequestContext) =>
      create(service, tokenUuid, request, context),
    edit: (key: TokenProfileKey, request: EditTokenProfileRequestDto, context: RequestContext) =>
      edit(service, key, request, context),
    change: (key: TokenProfileKey, change: ProfileChange, context: RequestContext) =>
      changeOne(service, key, change, context),
    changeMany: (uuids: readonly string[], change: ProfileChange, context: RequestContext) =>
      changeMany(service, uuids, change, context),
    remove: (key: TokenProfileKey, context: RequestContext) => remove(service, key, context),
    removeMany: (uuids: readonly string[], context: RequestContext) => removeMany(service, uuids, context),
    /** Returns the profile's attributes as they are sent to its connector with every call that uses its keys. */
    attributesToSend: (row: TokenProfileRow) => attributesToSend(service, row),
  };
}

/** Changes that do not involve the connector. */
type ProfileChange = { readonly enabled: boolean } | { readonly usages: readonly KeyUsage[] };

async function list({ platform }: ServiceParts, filter: { enabled?: boolean | undefined }): Promise<TokenProfileDto[]> {
  const { executor } = platform.database;
  const rows = (await tokenProfiles.findAll(executor)).filter(({ enabled }) => enabled === (filter.enabled ?? enabled));
  const ofTokens = await tokens.findMany(executor, [...new Set(rows.map(({ token_uuid: uuid }) => uuid))]);
  const byUuid = new Map(ofTokens.map((token) => [token.uuid, token]));
  return rows.flatMap((row) => {
    const token = byUuid.get(row.token_uuid);
    return token ? [presentTokenProfile(row, token)] : [];
  });
}

async function detail(
  service: ServiceParts,
  key: TokenProfileKey,
  context: RequestContext,
): Promise<TokenProfileDetailDto> {
  const { platform, attributes, values } = service;
  const row = await require(service, key);
  const token = await tokens.require(platform.database.executor, row.token_uuid);
  const { object, scope } = valueSet(row.uuid, token);
  return {
    ...presentTokenProfile(row, token),
    attributes: await attributes.read(object, scope),
    customAttributes: await values.read(row.uuid, context),
  };
}

async function create(
  service: ServiceParts,
  tokenUuid: string,
  request: AddTokenProfileRequestDto,
  context: RequestContext,
): Promise<TokenProfileDetailDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, access, values } = service;
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context),
    access.accept(tokenUuid, profileForm, { requested: request.attributes, caller: context }),
  );
  const [uuid, now] = [newUuid(), clock.now()];
  const row: TokenProfileRow = {
    uuid,
    name: request.name,
    description: request.description || null,
    token_uuid: tokenUuid,
    enabled: request.enabled,
    usages: usageMask(request.usage ?? []),
    created_at: now,
    updated_at: now,
  };
  await rejectTakenName(tokenProfiles, request.name, () =>
    database.transaction(async (tx) => {
      const token = await usableToken(tx, tokenUuid);
      await tokenProfiles.insert(tx, row);
      await attributes.insertValues(tx, [{ ...valueSet(uuid, token), attributes: accepted }]);
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row] });
    }),
  );
  return detail(service, { profileUuid: uuid }, context);
}

async function usableToken(tx: Executor, uuid: string): Promise<TokenRow> {
  const token = requireFound(await holdForUse(tx, uuid), tokens.what, uuid);
  if (token.removing) throw rejected(`Token ${token.name} is being removed.`);
  return token;
}

async function edit(
  service: ServiceParts,
  key: TokenProfileKey,
  request: EditTokenProfileRequestDto,
  context: RequestContext,
): Promise<TokenProfileDetailDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, access, values } = service;
  const row = await require(service, key);
  const { uuid, token_uuid: tokenUuid } = row;
  const set = valueSet(uuid, await tokens.require(database.executor, tokenUuid));
  const before = await attributes.readForConnector(set.object, set.scope);
  const requested = await attributes.withKeptSecrets(set, request.attributes);
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context, uuid),
    access.accept(tokenUuid, profileForm, { requested, caller: { ...context, before } }),
  );
  const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
  await database.transaction(async (tx) => {
    const changed = await tokenProfiles.update(tx, uuid, {
      description: request.description || null,
      ...(request.enabled === undefined ? {} : { enabled: request.enabled }),
      ...(request.usage === undefined ? {} : { usages: usageMask(request.usage) }),
      updated_at: clock.now(),
    });
    requireFound(changed, tokenProfiles.what, uuid);
    await attributes.replaceValues(tx, { ...set, attributes: accepted });
    await values.write(tx, uuid, customValues);
    await audit.append(tx, context, { objects: [row], ...omittedAttributesData(leftOut) });
  });
  return detail(service, key, context);
}

async function changeOne(
  service: ServiceParts,
  key: TokenProfileKey,
  change: ProfileChange,
  context: RequestContext,
): Promise<void> {
  const { uuid } = await require(service, key);
  if ((await changeMany(service, [uuid], change, context)) === 0) throw notFound(tokenProfiles.what, uuid);
}

/** Skips unknown profiles, so that a repeated call has the same result. Existing keys remain unchanged. */
async function changeMany(
  { platform, audit }: ServiceParts,
  uuids: readonly string[],
  change: ProfileChange,
  context: RequestContext,
): Promise<number> {
  const changes = 'enabled' in change ? change : { usages: usageMask(change.usages) };
  const changed = await audit.change(context, (tx) =>
    tokenProfiles.updateMany(tx, uuids, { ...changes, updated_at: platform.clock.now() }),
  );
  return changed.length;
}

async function remove(service: ServiceParts, key: TokenProfileKey, context: RequestContext): Promise<void> {
  const { uuid } = await require(service, key);
  if ((await removeMany(service, [uuid], context)) === 0) throw notFound(tokenProfiles.what, uuid);
}

/**
 * The keys remain, but without a profile: they cannot be used until they are assigned to a different profile. Skips
 * unknown profiles.
 */
async function removeMany(
  { platform, audit, attributes }: ServiceParts,
  uuids: readonly string[],
  context: RequestContext,
): Promise<number> {
  const removed = await platform.database.transaction(async (tx) => {
    const rows = await tokenProfiles.lockMany(tx, uuids);
    const present = rows.map(({ uuid }) => uuid);
    if (present.length === 0) return present;
    await attributes.removeObjects(tx, 'tokenProfiles', present);
    await tokenProfiles.removeMany(tx, present);
    await audit.append(tx, context, { objects: rows });
    return present;
  });
  return removed.length;
}

async function holder(service: ServiceParts, uuid: string, context: RequestContext): Promise<TokenProfileRow> {
  const row = await require(service, { profileUuid: uuid });
  requirePermission(context, { resource: 'tokens', action: 'detail', objects: [row.token_uuid] });
  return row;
}

async function require(
  { platform }: ServiceParts,
  { profileUuid, tokenUuid }: TokenProfileKey,
): Promise<TokenProfileRow> {
  const row = await tokenProfiles.findOne(platform.database.executor, profileUuid);
  const isElsewhere = tokenUuid !== undefined && row?.token_uuid !== tokenUuid.toLowerCase();
  return requireFound(isElsewhere ? undefined : row, tokenProfiles.what, profileUuid);
}

async function attributesToSend(
  { access, attributes }: ServiceParts,
  { uuid, token_uuid: tokenUuid }: TokenProfileRow,
): Promise<RequestAttributeDto[]> {
  const { connectorUuid } = await access.find(tokenUuid);
  const { object, scope } = valueSet(uuid, { connector_uuid: connectorUuid });
  return attributes.expandCredentials(await attributes.readForConnector(object, scope));
}

/** Attribute values of a profile, under its token's connector. */
const valueSet = (uuid: string, token: Pick<TokenRow, 'connector_uuid'>) => ({
  object: { resource: 'tokenProfiles', uuid } as const,
  scope: { connectorUuid: token.connector_uuid },
});
