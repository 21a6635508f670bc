// Use cases of RA profiles. The connector is called before a transaction begins, never inside one.
import type {
  AddRaProfileRequestDto,
  EditRaProfileRequestDto,
  RaProfileCertificateValidationSettingsUpdateDto,
  RaProfileDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { refusingTaken } from '../../platform/objects/taken-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { leftOutData, refuseCustomAttributes, type AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authorities, AuthorityFacts } from '../authorities/index.ts';
import type { createCaCertificates } from './ca-certificates.ts';
import type { RaProfileDependants } from './dependants.ts';
import type { IssuingProfiles } from './issuing-profiles.ts';
import { presentRaProfile } from './present.ts';
import { protocolNames, type RaProfileProtocol } from './protocols.ts';
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

/** The profile that a request names, by itself or under its authority. */
export interface RaProfileKey {
  readonly raProfileUuid: string;
  readonly authorityUuid?: string;
}

export type RaProfileService = ReturnType<typeof createRaProfileService>;

export function createRaProfileService(platform: Platform, parts: RaProfileServiceParts) {
  const { database, clock } = platform;
  const { audit, attributes, authorities, profiles, caCertificates, dependants, protocols } = parts;

  async function list(filter: { enabled?: boolean | undefined }): Promise<RaProfileDto[]> {
    const all = await raProfiles.findAll(database.executor);
    const rows = all.filter(({ enabled }) => enabled === (filter.enabled ?? enabled));
    const enabledProtocols = await protocolsOf(rows);
    return Promise.all(
      rows.map(async (row) =>
        presentRaProfile(row, { authority: await authorityOf(row), enabledProtocols: enabledProtocols.get(row.uuid) }),
      ),
    );
  }

  const protocolsOf = (rows: readonly RaProfileRow[]): Promise<ReadonlyMap<string, string[]>> =>
    protocolNames(database.executor, { protocols, raProfileUuids: rows.map(({ uuid }) => uuid) });

  const authorityOf = async (row: RaProfileRow): Promise<AuthorityFacts | undefined> =>
    row.authority_uuid === null ? undefined : authorities.find(row.authority_uuid);

  async function require({ raProfileUuid, authorityUuid }: RaProfileKey): Promise<RaProfileRow> {
    const row = await raProfiles.findOne(database.executor, raProfileUuid);
    const isElsewhere = authorityUuid !== undefined && row?.authority_uuid !== authorityUuid.toLowerCase();
    return found(isElsewhere ? undefined : row, raProfiles.what, raProfileUuid);
  }

  async function detail(key: RaProfileKey): Promise<RaProfileDto> {
    const row = await require(key);
    const authority = await authorityOf(row);
    const { object, scope } = valueSet(row.uuid, authority);
    return presentRaProfile(row, {
      authority,
      attributes: await attributes.read(object, scope),
      enabledProtocols: (await protocolsOf([row])).get(row.uuid),
    });
  }

  async function create(
    authorityUuid: string,
    request: AddRaProfileRequestDto,
    context: RequestContext,
  ): Promise<string> {
    refuseCustomAttributes(request.customAttributes);
    assertName(request.name);
    const authority = await authorities.find(authorityUuid);
    const completed = await authorities.completeRaProfileAttributes(authority.uuid, {
      given: request.attributes,
      signal: context.signal,
    });
    const accepted = await authorities.acceptRaProfileAttributes(authority.uuid, completed, context.signal);
    const [uuid, now] = [newUuid(), clock.now()];
    const row: RaProfileRow = {
      uuid,
      name: request.name,
      description: request.description || null,
      authority_uuid: authority.uuid,
      enabled: request.enabled,
      ca_certificate_uuid: null,
      ...noValidationSettings,
      created_at: now,
      updated_at: now,
    };
    await refusingTaken(raProfiles, request.name, () =>
      database.transaction(async (tx) => {
        await authorities.holdForUse(tx, authority.uuid);
        await raProfiles.insert(tx, row);
        await attributes.insertValues(tx, [{ ...valueSet(uuid, authority), attributes: accepted }]);
        await audit.append(tx, context, { objects: [row] });
      }),
    );
    await caCertificates.learnQuietly(uuid, context);
    return uuid;
  }

  async function edit(
    key: RaProfileKey,
    request: EditRaProfileRequestDto,
    context: RequestContext,
  ): Promise<RaProfileDto> {
    refuseCustomAttributes(request.customAttributes);
    const { uuid, name, authority_uuid: authorityUuid } = await require(key);
    if (authorityUuid === null) throw notFound('Authority of RA profile', name);
    const set = valueSet(uuid, await authorities.find(authorityUuid));
    const before = await attributes.readForConnector(set.object, set.scope);
    // A profile made without addresses keeps issuing without them; one that has them does not lose them by silence.
    const accepted = request.attributes
      ? await authorities.acceptRaProfileAttributes(
          authorityUuid,
          await authorities.completeRaProfileAttributes(authorityUuid, {
            given: await attributes.withKeptSecrets(set, request.attributes),
            of: (attribute) => before.some((value) => value.name === attribute),
            signal: context.signal,
          }),
          context.signal,
        )
      : before;
    const leftOut = before.map(({ name }) => name).filter((name) => !accepted.some((value) => value.name === name));
    await database.transaction(async (tx) => {
      const changed = await raProfiles.update(tx, uuid, {
        description: request.description || null,
        ...(request.enabled === undefined ? {} : { enabled: request.enabled }),
        updated_at: clock.now(),
      });
      found(changed, raProfiles.what, uuid);
      if (request.attributes) await attributes.replaceValues(tx, { ...set, attributes: accepted });
      await audit.append(tx, context, { objects: [{ uuid, name }], ...leftOutData(leftOut) });
    });
    profiles.invalidate([uuid]);
    await caCertificates.learnQuietly(uuid, context);
    return detail(key);
  }

  async function setEnabled(key: RaProfileKey, enabled: boolean, context: RequestContext): Promise<void> {
    const { uuid } = await require(key);
    if ((await setEnabledMany([uuid], enabled, context)) === 0) throw notFound('RA profile', uuid);
  }

  /** Unknown profiles are skipped, so that a repeated call ends in the same state. */
  async function setEnabledMany(uuids: readonly string[], enabled: boolean, context: RequestContext): Promise<number> {
    const changes = { enabled, updated_at: clock.now() };
    const changed = await audit.change(context, (tx) => raProfiles.updateMany(tx, uuids, changes));
    profiles.invalidate(changed.map(({ uuid }) => uuid));
    return changed.length;
  }

  async function setValidation(
    key: RaProfileKey,
    settings: RaProfileCertificateValidationSettingsUpdateDto,
    context: RequestContext,
  ): Promise<RaProfileDto> {
    const { uuid } = await require(key);
    const numbers = settings.enabled
      ? {
          validation_frequency_days: settings.frequency,
          validation_expiring_threshold_days: settings.expiringThreshold,
        }
      : noValidationSettings;
    const changes = { ...numbers, validation_enabled: settings.enabled ?? null, updated_at: clock.now() };
    const [changed] = await audit.change(context, (tx) => raProfiles.updateMany(tx, [uuid], changes));
    found(changed, raProfiles.what, uuid);
    profiles.invalidate([uuid]);
    return detail(key);
  }

  async function remove(key: RaProfileKey, context: RequestContext): Promise<void> {
    const { uuid } = await require(key);
    if ((await removeMany([uuid], context)) === 0) throw notFound('RA profile', uuid);
  }

  /** All or none: a profile that something needs refuses the whole call. Unknown profiles are skipped. */
  async function removeMany(uuids: readonly string[], context: RequestContext): Promise<number> {
    const removed = await database.transaction(async (tx) => {
      const rows = await raProfiles.lockMany(tx, uuids);
      const reasons = await reasonsToKeep(tx, rows);
      if (reasons.length > 0) throw rejected(...reasons);
      const present = rows.map(({ uuid }) => uuid);
      if (present.length === 0) return present;
      for (const dependant of dependants) await dependant.onRaProfilesRemoved(tx, present, context);
      await attributes.removeObjects(tx, 'raProfiles', present);
      await raProfiles.removeMany(tx, present);
      await audit.append(tx, context, { objects: rows });
      return present;
    });
    profiles.invalidate(removed);
    return removed.length;
  }

  async function reasonsToKeep(tx: Executor, rows: readonly RaProfileRow[]): Promise<string[]> {
    const reasons: string[] = [];
    for (const { uuid, name } of rows) {
      for (const dependant of dependants) {
        for (const reason of (await dependant.reasonsToKeep?.(tx, uuid)) ?? [])
          reasons.push(`RA profile ${name}: ${reason}`);
      }
    }
    return reasons;
  }

  return { list, require, detail, create, edit, setEnabled, setEnabledMany, setValidation, remove, removeMany };
}

const noValidationSettings = {
  validation_enabled: null,
  validation_frequency_days: null,
  validation_expiring_threshold_days: null,
} as const;

/** Values of a profile, under the connector of its authority. */
const valueSet = (uuid: string, authority: AuthorityFacts | undefined) => ({
  object: { resource: 'raProfiles', uuid } as const,
  scope: { connectorUuid: authority?.connectorUuid ?? null },
});

/** The name stands in URLs of protocols: unreserved characters only (RFC 3986 §2.3). */
function assertName(name: string): void {
  if (!/^[A-Za-z0-9._~-]+$/.test(name) || name === '.' || name === '..')
    throw rejected(
      'The name of an RA profile stands in URLs: letters, digits, "-", ".", "_" and "~" only, and not "." or "..".',
    );
}
