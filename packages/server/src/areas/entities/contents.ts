// A location's contents, as reported by its provider. They are read when the location is created, edited or
// synchronized. Certificates missing from the inventory are added, and certificates that are no longer in the location
// are unlinked from it.
import { entityProviderOperations, type LocationDetailResponseDto, type RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { describeOrigin, type AttributeEngine } from '../attributes/index.ts';
import type { HeldCertificates, ImportResult } from '../inventory/index.ts';
import { decodeReturnedCertificate } from '../connectors/index.ts';
import { recordArrival } from './arrival.ts';
import type { EntityAccess, ReachedEntity } from './entity-access.ts';
import { toRequestAttributes, locationSet, type LocationValues } from './location-values.ts';
import { findHeld, findSetAside, storeHeld, locations, NOT_PROBED, removeHeld } from './store.ts';
import type { HeldRow, LocationRow } from './tables.ts';

export interface ContentsParts {
  readonly attributes: AttributeEngine;
  readonly access: EntityAccess;
  readonly values: LocationValues;
  readonly certificates: HeldCertificates;
}

export type Contents = ReturnType<typeof createContents>;

interface Parts extends ContentsParts {
  readonly platform: Platform;
}

export function createContents(platform: Platform, given: ContentsParts) {
  const parts = { platform, ...given };
  return {
    ask,
    takeIn: (
      location: NamedLocation,
      reached: ReachedEntity,
      told: LocationDetailResponseDto,
      context: RequestContext,
    ) => importContents(parts, { location, reached, told, context }),
    unlink: (tx: Executor, unlinked: UnlinkedEntries) => unlink(tx, parts, unlinked),
    sync: (location: LocationRow, context: RequestContext) => sync(parts, location, context),
  };
}

type NamedLocation = Pick<LocationRow, 'uuid' | 'name'>;

/** Calls the provider without changing anything. */
function ask(
  { client, params }: ReachedEntity,
  locationAttributes: readonly RequestAttributeDto[],
  { signal }: Pick<RequestContext, 'signal'>,
): Promise<LocationDetailResponseDto> {
  const body = { locationAttributes: [...locationAttributes] };
  return client.call(entityProviderOperations.getLocationDetail, { params, body }, { signal });
}

interface ContentsImport {
  readonly location: NamedLocation;
  readonly reached: ReachedEntity;
  readonly told: LocationDetailResponseDto;
  readonly context: RequestContext;
}

/**
 * Imports the reported certificates, and returns the writes to perform in the location's transaction. Certificates that
 * cannot be read are listed in the location's problem.
 */
async function importContents(parts: Parts, taking: ContentsImport): Promise<(tx: Executor) => Promise<void>> {
  const { certificates, attributes, platform } = parts;
  const { location, told, context } = taking;
  const connectorUuid = taking.reached.entity.connector_uuid;
  const ders = told.certificates.map(({ certificateData }) => Buffer.from(decodeReturnedCertificate(certificateData)));
  const taken = await certificates.takeIn(ders, `Found in location ${location.name}`, context);
  const definitions = told.certificates.flatMap(({ pushAttributes = [], csrAttributes = [] }) => [
    ...pushAttributes,
    ...csrAttributes,
  ]);
  if (definitions.length > 0) await attributes.learnDefinitions(connectorUuid, definitions);
  return async (tx) => {
    const before = await findHeld(tx, [location.uuid]);
    const present = await storeReported(tx, parts, { ...taking, taken, before });
    const known = await findHeld(tx, [location.uuid]);
    const gone = known
      .filter((row) => isPresent(row, known) && !present.has(row.certificate_uuid))
      .map(({ certificate_uuid: uuid }) => uuid);
    await unlink(tx, parts, { locationUuid: location.uuid, connectorUuid, gone });
    const { object } = locationSet(location.uuid, connectorUuid);
    await attributes.removeConnectorMetadata(tx, object, connectorUuid);
    await attributes.appendMetadata(tx, [{ object, connectorUuid, metadata: told.metadata ?? [] }]);
    const now = platform.clock.now();
    await locations.update(tx, location.uuid, {
      multiple_entries: told.multipleEntries,
      key_management: told.supportKeyManagement,
      read_at: now,
      problem: problemOf(taken, told),
      updated_at: now,
    });
  };
}

/** Returns the certificates that are present. */
async function storeReported(
  tx: Executor,
  { values, platform }: Parts,
  { location, reached, told, context, taken, before }: ContentsImport & { readonly taken: readonly ImportResult[]; readonly before: readonly HeldRow[] }, // prettier-ignore
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const [index, entry] of told.certificates.entries()) {
    const certificate = taken[index];
    if (!certificate || !('uuid' in certificate)) continue;
    const known = before.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
    await storePresent(tx, before, {
      known,
      entry,
      at: platform.clock.now(),
      fresh: {
        location_uuid: location.uuid,
        certificate_uuid: certificate.uuid,
        requested_by: nameOf(context),
        made_entry: false,
      },
    });
    const connectorUuid = reached.entity.connector_uuid;
    const held = { locationUuid: location.uuid, certificateUuid: certificate.uuid, connectorUuid };
    const said = { push: toRequestAttributes(entry.pushAttributes), csr: toRequestAttributes(entry.csrAttributes) };
    // A provider is not required to store a request's attributes; if it does not, the platform keeps its own copy.
    if (!known || said.push.length > 0 || said.csr.length > 0) await values.keepOf(tx, held, said);
    present.add(certificate.uuid);
  }
  return present;
}

interface PresentEntry {
  readonly known: HeldRow | undefined;
  readonly entry: LocationDetailResponseDto['certificates'][number];
  readonly at: Date;
  /** Columns for an entry that does not exist yet. */
  readonly fresh: Pick<HeldRow, 'location_uuid' | 'certificate_uuid' | 'requested_by' | 'made_entry'>;
}

/**
 * Keeps all other data about a certificate that is still present. A push that received no response is then considered
 * successful.
 */
async function storePresent(
  tx: Executor,
  before: readonly HeldRow[],
  { known, entry: { withKey, metadata = [] }, at, fresh }: PresentEntry,
): Promise<void> {
  const there = { state: 'installed', replaces_uuid: null, problem: null, changed_at: at, ...NOT_PROBED } as const;
  if (known?.state === 'pushing') await recordArrival(tx, known, { withKey, metadata, at });
  else if (known && (isPresent(known, before) || known.state === 'not_served' || known.state === 'replaced'))
    await storeHeld(tx, { ...known, ...(isLeftOver(known, before) ? there : {}), with_key: withKey, metadata });
  else {
    const { requested_by, noted_at } = known ?? { ...fresh, noted_at: at };
    await storeHeld(tx, { ...fresh, ...there, requested_by, noted_at, with_key: withKey, metadata });
  }
}

/** Returns whether the certificate was in the location, according to the platform's data. */
const isPresent = (row: HeldRow, all: readonly HeldRow[]): boolean =>
  row.state === 'installed' || row.state === 'served' || isLeftOver(row, all);

/** Returns whether the certificate was set aside for another certificate that has since been removed. */
const isLeftOver = ({ state, certificate_uuid: uuid }: HeldRow, all: readonly HeldRow[]): boolean =>
  state === 'replaced' && !all.some(({ replaces_uuid: replaced }) => replaced === uuid);

interface UnlinkedEntries {
  readonly locationUuid: string;
  readonly connectorUuid: string | null;
  readonly gone: readonly string[];
}

async function unlink(
  tx: Executor,
  { values }: Parts,
  { locationUuid, connectorUuid, gone }: UnlinkedEntries,
): Promise<void> {
  if (gone.length === 0) return;
  const all = [...gone, ...(await findSetAside(tx, locationUuid, gone))];
  for (const certificateUuid of all) await values.forgetOf(tx, { locationUuid, certificateUuid, connectorUuid });
  await removeHeld(tx, locationUuid, all);
}

/** Reads the contents again; a failure is stored with the location and thrown. */
async function sync(
  parts: Parts,
  location: LocationRow,
  context: RequestContext,
): Promise<(tx: Executor) => Promise<void>> {
  const { access, values, platform } = parts;
  const reached = await access.reach(location.entity_uuid);
  const toSend = await values.toSend(location.uuid, reached.entity.connector_uuid);
  try {
    return await importContents(parts, { location, reached, told: await ask(reached, toSend, context), context });
  } catch (error) {
    if (isAppError(error)) {
      const changes = { problem: error.message, updated_at: platform.clock.now() };
      await locations.update(platform.database.executor, location.uuid, changes);
    }
    throw error;
  }
}

export const nameOf = ({ actor }: RequestContext): string => actor.username ?? 'the platform';

const MAX_PROBLEMS = 5;

function problemOf(taken: readonly ImportResult[], { certificates }: LocationDetailResponseDto): string | null {
  const problems = taken.flatMap((each, index) => {
    const { metadata = [] } = certificates[index] ?? {};
    return 'problem' in each ? [`${each.problem}${describeOrigin(metadata)}`] : [];
  });
  if (problems.length === 0) return null;
  return `${problems.length} of its certificates cannot be read: ${problems.slice(0, MAX_PROBLEMS).join('; ')}`;
}
