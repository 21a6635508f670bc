// Use cases of RA profiles. Connectors are called before a transaction begins, never inside one.
import type {
  AddRaProfileRequestDto,
  EditRaProfileRequestDto,
  RaProfileCertificateValidationSettingsUpdateDto as ValidationSettingsDto,
  RaProfileDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, evaluateTogether, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { omittedAttributesData, type CustomValues, type AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { requirePermission } from '../identity/index.ts';
import type { Authorities, AuthorityFacts } from '../authorities/index.ts';
import type { createCaCertificates } from './ca-certificates.ts';
import type { RaProfileDependants } from './dependants.ts';
import { assertOffered } from './ra-profile-facts.ts';
import type { IssuingProfiles } from './issuing-profiles.ts';
import { presentRaProfile } from './present.ts';
import { protocolNames, type RaProfileProtocol } from './protocols.ts';
import { removeRaProfiles } from './remove-ra-profiles.ts';
import { raProfiles } from './store.ts';
import type { RaProfileRow } from './tables.ts';

export interface RaProfileServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly authorities: Authorities;
  readonly profiles: IssuingProfiles;
  readonly caCertificates: ReturnType<typeof createCaCertificates>;
  readonly dependants: readonly RaProfileDependants[];
  readonly protocols: readonly RaProfileProtocol[];
}

/** RA profile referenced by a request, with or without its authority. */
export interface RaProfileKey {
  readonly raProfileUuid: string;
  readonly authorityUuid?: string;
}

interface ServiceParts extends RaProfileServiceParts {
  readonly platform: Platform;
  readonly values: CustomValues;
}

export type RaProfileService = ReturnType<typeof createRaProfileService>;

export function createRaProfileService(platform: Platform, parts: RaProfileServiceParts) {
  const service: ServiceParts = { platform, ...parts, values: parts.attributes.customValuesOf('raProfiles') };
  return {
    list: (filter: { enabled?: boolean | undefined }) => list(service, filter),
    require: (key: RaProfileKey) => require(service, key),
    /** Returns the profile in order to change it or its associations. */
    requireChangeable: (key: RaProfileKey) => requireChangeable(service, key),
    detail: (key: RaProfileKey, context: RequestContext) => detail(service, key, context),
    /** Returns the profile in order to change its custom attributes. Its authority must also be visible. */
    holder: (uuid: string, context: RequestContext) => holder(service, uuid, context),
    create: (authorityUuid: string, request: AddRaProfileRequestDto, context: RequestContext) =>
      create(service, authorityUuid, { ...request, internal: false }, context),
    /** Creates a profile under which only the platform itself can issue. */
    createInternal: (authorityUuid: string, request: AddRaProfileRequestDto, context: RequestContext) =>
      create(service, authorityUuid, { ...request, internal: true }, context),
    edit: (key: RaProfileKey, request: EditRaProfileRequestDto, context: RequestContext) =>
      edit(service, key, request, context),
    setEnabled: (key: RaProfileKey, enabled: boolean, context: RequestContext) =>
      setEnabled(service, key, enabled, context),
    setEnabledMany: (uuids: readonly string[], enabled: boolean, context: RequestContext) =>
      setEnabledMany(service, uuids, enabled, context),
    setValidation: (key: RaProfileKey, settings: ValidationSettingsDto, context: RequestContext) =>
      setValidation(service, key, settings, context),
    remove: (key: RaProfileKey, context: RequestContext) => remove(service, key, context),
    removeMany: (uuids: readonly string[], context: RequestContext) => removeRaProfiles(service, uuids, context),
  };
}

async function list(service: ServiceParts, filter: { enabled?: boolean | undefined }): Promise<RaProfileDto[]> {
  const { database } = service.platform;
  const all = await raProfiles.findAll(database.executor);
  const rows = all.filter(({ enabled, internal }) => !internal && enabled === (filter.enabled ?? enabled));
  const enabledProtocols = await protocolsOf(service, rows);
  return Promise.all(
    rows.map(async (row) => {
      const authority = await authorityOf(service, row);
      return presentRaProfile(row, {
        authority,
        enabledProtocols: enabledProtocols.get(row.uuid),
      });
    }),
  );
}

async function detail(service: ServiceParts, key: RaProfileKey, context: RequestContext): Promise<RaProfileDto> {
  const { attributes, values } = service;
  const row = await require(service, key);
  const authority = await authorityOf(service, row);
  const { object, scope } = valueSet(row.uuid, authority);
  const profile = presentRaProfile(row, {
    authority,
    attributes: await attributes.read(object, scope),
    enabledProtocols: (await protocolsOf(service, [row])).get(row.uuid),
  });
  return { ...profile, customAttributes: await values.read(row.uuid, context) };
}

async function create(
  service: ServiceParts,
  authorityUuid: string,
  request: AddRaProfileRequestDto & Pick<RaProfileRow, 'internal'>,
  context: RequestContext,
): Promise<string> {
  const { database, clock } = service.platform;
  const { audit, attributes, authorities, caCertificates, values } = service;
  assertName(request.name);
  const authority = await authorities.find(authorityUuid);
  const completed = await authorities.completeRaProfileAttributes(authority.uuid, {
    given: request.attributes,
    signal: context.signal,
  });
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context),
    authorities.acceptRaProfileAttributes(authority.uuid, completed, context),
  );
  const [uuid, now] = [newUuid(), clock.now()];
  const row: RaProfileRow = {
    uuid,
    name: request.name,
    description: request.description || null,
    authority_uuid: authority.uuid,
    enabled: request.enabled,
    internal: request.internal,
    ca_certificate_uuid: null,
    approval_profile_uuid: null,
    ...noValidationSettings,
    created_at: now,
    updated_at: now,
  };
  await rejectTakenName(raProfiles, request.name, () =>
    database.transaction(async (tx) => {
      await authorities.holdForUse(tx, authority.uuid);
      await raProfiles.insert(tx, row);
      await attributes.insertValues(tx, [{ ...valueSet(uuid, authority), attributes: accepted }]);
      await values.write(tx, uuid, customValues);
      await audit.append(tx, context, { objects: [row] });
    }),
  );
  await caCertificates.learnQuietly(uuid, context);
  return uuid;
}

async function edit(
  service: ServiceParts,
  key: RaProfileKey,
  request: EditRaProfileRequestDto,
  context: RequestContext,
): Promise<RaProfileDto> {
  const { database, clock } = service.platform;
  const { audit, attributes, authorities, profiles, caCertificates, values } = service;
  const { uuid, name, authority_uuid: authorityUuid } = await requireChangeable(service, key);
  if (authorityUuid === null) throw notFound('Authority of RA profile', name);
  const set = valueSet(uuid, await authorities.find(authorityUuid));
  const before = await attributes.readForConnector(set.object, set.scope);
  const [customValues, accepted] = await evaluateTogether(
    values.accept(request.customAttributes, context, uuid),
    request.attributes
      ? acceptChange(service, { authorityUuid, set, before, given: request.attributes }, context)
      : Promise.resolve(before),
  );
  const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
  await database.transaction(async (tx) => {
    const changed = await raProfiles.update(tx, uuid, {
      description: request.description || null,
      ...(request.enabled === undefined ? {} : { enabled: request.enabled }),
      updated_at: clock.now(),
    });
    requireFound(changed, raProfiles.what, uuid);
    if (request.attributes) await attributes.replaceValues(tx, { ...set, attributes: accepted });
    await values.write(tx, uuid, customValues);
    await audit.append(tx, context, { objects: [{ uuid, name }], ...omittedAttributesData(leftOut) });
  });
  profiles.invalidate([uuid]);
  await caCertificates.learnQuietly(uuid, context);
  return detail(service, key, context);
}

async function holder({ platform }: ServiceParts, uuid: string, context: RequestContext): Promise<RaProfileRow> {
  const row = await raProfiles.require(platform.database.executor, uuid);
  assertOffered(row);
  const objects = row.authority_uuid === null ? [] : [row.authority_uuid];
  requirePermission(context, { resource: 'authorities', action: 'detail', objects });
  return row;
}

/**
 * A profile that was created without URLs continues to issue without them. A profile with URLs keeps them if a request
 * omits them.
 */
async function acceptChange(
  { attributes, authorities }: ServiceParts,
  change: {
    readonly authorityUuid: string;
    readonly set: ReturnType<typeof valueSet>;
    readonly before: readonly RequestAttributeDto[];
    readonly given: readonly RequestAttributeDto[];
  },
  { signal, actor }: RequestContext,
): Promise<RequestAttributeDto[]> {
  const { authorityUuid, set, before, given } = change;
  const completed = await authorities.completeRaProfileAttributes(authorityUuid, {
    given: await attributes.withKeptSecrets(set, given),
    of: (attribute) => before.some(({ name }) => name === attribute),
    signal,
  });
  return authorities.acceptRaProfileAttributes(authorityUuid, completed, { signal, actor, before });
}

async function setEnabled(
  service: ServiceParts,
  key: RaProfileKey,
  enabled: boolean,
  context: RequestContext,
): Promise<void> {
  const { uuid } = await require(service, key);
  if ((await setEnabledMany(service, [uuid], enabled, context)) === 0) throw notFound('RA profile', uuid);
}

/** Skips unknown profiles, so that a repeated call is harmless. */
async function setEnabledMany(
  service: ServiceParts,
  uuids: readonly string[],
  enabled: boolean,
  context: RequestContext,
): Promise<number> {
  const { clock } = service.platform;
  const { audit, profiles } = service;
  const changes = { enabled, updated_at: clock.now() };
  const changed = await audit.change(context, async (tx) => {
    (await raProfiles.lockMany(tx, uuids)).forEach(assertOffered);
    return raProfiles.updateMany(tx, uuids, changes);
  });
  profiles.invalidate(changed.map(({ uuid }) => uuid));
  return changed.length;
}

async function setValidation(
  service: ServiceParts,
  key: RaProfileKey,
  settings: ValidationSettingsDto,
  context: RequestContext,
): Promise<RaProfileDto> {
  const { clock } = service.platform;
  const { audit, profiles } = service;
  const { uuid } = await requireChangeable(service, key);
  const numbers = settings.enabled
    ? {
        validation_frequency_days: settings.frequency,
        validation_expiring_threshold_days: settings.expiringThreshold,
      }
    : noValidationSettings;
  const changes = { ...numbers, validation_enabled: settings.enabled ?? null, updated_at: clock.now() };
  const [changed] = await audit.change(context, (tx) => raProfiles.updateMany(tx, [uuid], changes));
  requireFound(changed, raProfiles.what, uuid);
  profiles.invalidate([uuid]);
  return detail(service, key, context);
}

async function remove(service: ServiceParts, key: RaProfileKey, context: RequestContext): Promise<void> {
  const { uuid } = await require(service, key);
  if ((await removeRaProfiles(service, [uuid], context)) === 0) throw notFound('RA profile', uuid);
}

async function require(service: ServiceParts, { raProfileUuid, authorityUuid }: RaProfileKey): Promise<RaProfileRow> {
  const { database } = service.platform;
  const row = await raProfiles.findOne(database.executor, raProfileUuid);
  const isElsewhere = authorityUuid !== undefined && row?.authority_uuid !== authorityUuid.toLowerCase();
  return requireFound(isElsewhere ? undefined : row, raProfiles.what, raProfileUuid);
}

async function requireChangeable(service: ServiceParts, key: RaProfileKey): Promise<RaProfileRow> {
  const row = await require(service, key);
  assertOffered(row);
  return row;
}

function protocolsOf(
  { platform, protocols }: ServiceParts,
  rows: readonly RaProfileRow[],
): Promise<ReadonlyMap<string, string[]>> {
  return protocolNames(platform.database.executor, { protocols, raProfileUuids: rows.map(({ uuid }) => uuid) });
}

async function authorityOf({ authorities }: ServiceParts, row: RaProfileRow): Promise<AuthorityFacts | undefined> {
  return row.authority_uuid === null ? undefined : authorities.find(row.authority_uuid);
}

const noValidationSettings = {
  validation_enabled: null,
  validation_frequency_days: null,
  validation_expiring_threshold_days: null,
} as const;

/** Attribute values of a profile, under its authority's connector. */
const valueSet = (uuid: string, authority: AuthorityFacts | undefined) => ({
  object: { resource: 'raProfiles', uuid } as const,
  scope: { connectorUuid: authority?.connectorUuid ?? null },
});

/** The name appears in protocol URLs, so it can contain only unreserved characters (RFC 3986 §2.3). */
function assertName(name: string): void {
  if (!/^[A-Za-z0-9._~-]+$/.test(name) || name === '.' || name === '..')
    throw rejected(
      'The name of an RA profile appears in URLs: use only letters, digits, "-", ".", "_" and "~"; "." and ".." are not allowed.',
    );
}
