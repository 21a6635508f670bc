// What a location holds, as its provider says: read when the location is made, changed and synchronized. Certificates
// that the inventory does not have are taken in; those that are no longer there are no longer linked.
import { entityProviderOperations, type LocationDetailResponseDto, type RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { HeldCertificates, TakenIn } from '../certificates/index.ts';
import type { EntityAccess, ReachedEntity } from './entity-access.ts';
import { asRequested, locationSet, type LocationValues } from './location-values.ts';
import { findHeld, keepHeld, locations, removeHeld } from './store.ts';
import type { HeldRow, LocationRow } from './tables.ts';

export interface ContentsParts {
  readonly attributes: AttributeEngine;
  readonly access: EntityAccess;
  readonly values: LocationValues;
  readonly certificates: HeldCertificates;
}

type Told = LocationDetailResponseDto['certificates'][number];

export type Contents = ReturnType<typeof createContents>;

export function createContents(platform: Platform, { attributes, access, values, certificates }: ContentsParts) {
  const { database, clock } = platform;

  /** Asks the provider; nothing is changed. */
  async function ask(
    { client, params }: ReachedEntity,
    locationAttributes: readonly RequestAttributeDto[],
    { signal }: Pick<RequestContext, 'signal'>,
  ): Promise<LocationDetailResponseDto> {
    const body = { locationAttributes: [...locationAttributes] };
    return client.call(entityProviderOperations.getLocationDetail, { params, body }, { signal });
  }

  /** Takes in what the provider told; certificates that cannot be read are told in the location's problem. */
  async function takeIn(
    location: Pick<LocationRow, 'uuid' | 'name'>,
    { entity }: ReachedEntity,
    told: LocationDetailResponseDto,
    context: RequestContext,
  ): Promise<(tx: Executor) => Promise<void>> {
    const ders = told.certificates.map(({ certificateData }) => Buffer.from(certificateData, 'base64'));
    const taken = await certificates.takeIn(ders, `Found in location ${location.name}`, context);
    const definitions = told.certificates.flatMap(({ pushAttributes = [], csrAttributes = [] }) => [...pushAttributes, ...csrAttributes]); // prettier-ignore
    if (definitions.length > 0) await attributes.learnDefinitions(entity.connector_uuid, definitions);
    const connectorUuid = entity.connector_uuid;
    return async (tx) => {
      const before = await findHeld(tx, [location.uuid]);
      const present = await keepTold(tx, { location, connectorUuid, told: told.certificates, taken, before, context });
      const gone = before
        .filter(({ certificate_uuid: uuid, state }) => state === 'installed' && !present.has(uuid))
        .map(({ certificate_uuid: uuid }) => uuid);
      await unlink(tx, { locationUuid: location.uuid, connectorUuid, gone });
      const { object } = locationSet(location.uuid, connectorUuid);
      await attributes.removeConnectorMetadata(tx, object, connectorUuid);
      await attributes.appendMetadata(tx, [{ object, connectorUuid, metadata: told.metadata ?? [] }]);
      await locations.update(tx, location.uuid, {
        multiple_entries: told.multipleEntries,
        key_management: told.supportKeyManagement,
        read_at: clock.now(),
        problem: problemOf(taken),
        updated_at: clock.now(),
      });
    };
  }

  interface Keeping {
    readonly location: Pick<LocationRow, 'uuid' | 'name'>;
    readonly connectorUuid: string;
    readonly told: readonly Told[];
    readonly taken: readonly TakenIn[];
    readonly before: readonly HeldRow[];
    readonly context: RequestContext;
  }

  /** Answers the certificates that are there. */
  async function keepTold(tx: Executor, keeping: Keeping): Promise<ReadonlySet<string>> {
    const { location, connectorUuid, told, taken, before, context } = keeping;
    const present = new Set<string>();
    for (const [index, entry] of told.entries()) {
      const certificate = taken[index];
      if (!certificate || !('uuid' in certificate)) continue;
      const known = before.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
      await keepHeld(tx, {
        location_uuid: location.uuid,
        certificate_uuid: certificate.uuid,
        state: 'installed',
        with_key: entry.withKey,
        metadata: entry.metadata ?? [],
        replaces_uuid: null,
        requested_by: known?.requested_by ?? nameOf(context),
        problem: null,
        changed_at: known?.state === 'installed' ? known.changed_at : clock.now(),
      });
      const held = { locationUuid: location.uuid, certificateUuid: certificate.uuid, connectorUuid };
      const said = { push: asRequested(entry.pushAttributes), csr: asRequested(entry.csrAttributes) };
      // A provider need not remember by what it was asked; then what the platform knows stays.
      if (!known || said.push.length > 0 || said.csr.length > 0) await values.keepOf(tx, held, said);
      present.add(certificate.uuid);
    }
    return present;
  }

  async function unlink(
    tx: Executor,
    {
      locationUuid,
      connectorUuid,
      gone,
    }: { readonly locationUuid: string; readonly connectorUuid: string | null; readonly gone: readonly string[] },
  ): Promise<void> {
    if (gone.length === 0) return;
    for (const certificateUuid of gone) await values.forgetOf(tx, { locationUuid, certificateUuid, connectorUuid });
    await removeHeld(tx, locationUuid, gone);
  }

  /** Reads the content anew; a failure is kept with the location, and thrown. */
  async function sync(location: LocationRow, context: RequestContext): Promise<(tx: Executor) => Promise<void>> {
    const reached = await access.reach(location.entity_uuid);
    const toSend = await values.toSend(location.uuid, reached.entity.connector_uuid);
    try {
      return await takeIn(location, reached, await ask(reached, toSend, context), context);
    } catch (error) {
      if (isAppError(error))
        await locations.update(database.executor, location.uuid, { problem: error.message, updated_at: clock.now() });
      throw error;
    }
  }

  return { ask, takeIn, unlink, sync };
}

export const nameOf = ({ actor }: RequestContext): string => actor.username ?? 'the platform';

const problemOf = (taken: readonly TakenIn[]): string | null => {
  const problems = taken.flatMap((each) => ('problem' in each ? [each.problem] : []));
  return problems.length === 0 ? null : `${problems.length} of its certificates cannot be read: ${problems[0]}`;
};
