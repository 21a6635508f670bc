// Pushes a certificate to a location. An entry is written before the provider is called, so that after a crash the
// outcome can be determined from the location's contents.
import {
  entityProviderOperations,
  type MetadataAttribute,
  type PushCertificateResponseDto,
  type PushToLocationRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, isAppError, problemsOf, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { HeldCertificate, HeldCertificates } from '../inventory/index.ts';
import { isOutcomeUnknown } from '../connectors/index.ts';
import { recordArrival } from './arrival.ts';
import { nameOf, type Contents } from './contents.ts';
import { pushForm, type EntityAccess, type ReachedEntity } from './entity-access.ts';
import { assertEnabled, type LocationPath, type LocationService } from './locations.ts';
import type { LocationTurns } from './location-turns.ts';
import type { LocationValues } from './location-values.ts';
import { claimHeld, findHeld, storeHeld, locations, NOT_PROBED } from './store.ts';
import type { HeldRow, HeldState, LocationRow } from './tables.ts';

export interface DeploymentParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly access: EntityAccess;
  readonly values: LocationValues;
  readonly contents: Contents;
  readonly certificates: HeldCertificates;
  readonly locations: Pick<LocationService, 'require'>;
  readonly turns: Pick<LocationTurns, 'take' | 'tryTo'>;
  /** Called when a certificate has been installed in a location, so that its endpoint is probed. */
  readonly arrived: () => void;
}

/** Certificate in a location, or pending there. */
export interface Target extends LocationPath {
  readonly certificateUuid: string;
}

/** A location that can be reached through its entity's connector. */
export interface ReachedLocation {
  readonly location: LocationRow;
  readonly reached: ReachedEntity;
}

export interface Entry extends ReachedLocation {
  readonly certificate: HeldCertificate;
}

/** Rejects locations that are disabled or whose entity has no connector. */
export async function requireUsableLocation(
  { access, locations: places }: DeploymentParts,
  path: LocationPath,
): Promise<ReachedLocation> {
  const location = await places.require(path);
  assertEnabled(location);
  return { location, reached: await access.reach(location.entity_uuid) };
}

/** Pushes an issued certificate; a pending one is pushed once it is issued. */
export async function push(parts: DeploymentParts, target: Target, request: PushRequest): Promise<void> {
  const place = await requireUsableLocation(parts, target);
  const certificate = await parts.certificates.require(target.certificateUuid);
  assertPushable(certificate);
  const turn = { kind: 'push', certificateUuid: certificate.uuid, context: request.context } as const;
  await parts.turns.take(place.location, turn, () => pushNow(parts, { ...place, certificate }, request));
}

interface PushRequest {
  readonly body: PushToLocationRequestDto;
  readonly context: RequestContext;
}

async function pushNow(parts: DeploymentParts, entry: Entry, { body, context }: PushRequest): Promise<void> {
  const { access, values, platform } = parts;
  const { location, certificate } = entry;
  const held = await findHeld(platform.database.executor, [location.uuid]);
  const { replace } = body;
  certificateToReplace(location, held, { certificate, replace });
  const given = { requested: body.attributes, caller: context };
  const accepted = await access.accept(location.entity_uuid, pushForm, given);
  const isKnown = held.some(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
  const csr = isKnown ? await values.readOf(keyOf(entry), 'csr') : [];
  const isIssued = certificate.state === 'issued';
  const noted = { push: accepted, csr, replace, context };
  if ((await recordPending(parts, entry, { ...noted, state: isIssued ? 'pushing' : 'waiting' })) === 'pushing')
    await executePush(parts, entry, context);
}

interface PendingPush {
  readonly state: 'waiting' | 'pushing';
  readonly push: readonly RequestAttributeDto[];
  readonly csr: readonly RequestAttributeDto[];
  readonly context: RequestContext;
}

/**
 * Records that a certificate belongs in a location, and returns whether to push it now or wait: it waits while another
 * certificate is being pushed to a location that holds only one.
 */
const recordPending = (
  parts: DeploymentParts,
  entry: Entry,
  { state: wanted, replace, ...values }: PendingPush & { readonly replace: boolean },
): Promise<PendingPush['state']> =>
  parts.platform.database.transaction(async (tx) => {
    const { location, certificate } = entry;
    await locations.lock(tx, location.uuid);
    // Another certificate may have been installed since the last check.
    const held = await findHeld(tx, [location.uuid]);
    const replaces = certificateToReplace(location, held, { certificate, replace });
    const state = isFree(location, held, certificate.uuid) ? wanted : 'waiting';
    await storePending(tx, parts, entry, { ...values, certificateUuid: certificate.uuid, state, replaces });
    return state;
  });

export interface PendingEntry extends PendingPush {
  readonly certificateUuid: string;
  /** Certificate to be replaced. */
  readonly replaces: string | null;
  readonly metadata?: readonly MetadataAttribute[];
  /** The metadata identifies an entry that was created for the certificate. */
  readonly madeEntry?: boolean;
}

/** Writes the entry, its values and the audit record. */
export async function storePending(
  tx: Executor,
  { platform, values, audit }: DeploymentParts,
  { location, reached }: ReachedLocation,
  { certificateUuid, state, push: pushed, csr, replaces, metadata = [], madeEntry = false, context }: PendingEntry,
): Promise<void> {
  const now = platform.clock.now();
  await storeHeld(tx, {
    location_uuid: location.uuid,
    certificate_uuid: certificateUuid,
    state,
    with_key: false,
    metadata,
    made_entry: madeEntry,
    replaces_uuid: replaces,
    requested_by: nameOf(context),
    problem: null,
    noted_at: now,
    changed_at: now,
    ...NOT_PROBED,
  });
  const key = { locationUuid: location.uuid, certificateUuid, connectorUuid: reached.entity.connector_uuid };
  await values.keepOf(tx, key, { push: pushed, csr });
  await audit.append(tx, context, { objects: [location], data: { certificate: certificateUuid } });
}

/** Pushes a waiting certificate, unless another one is being pushed to a location that holds only one. */
export async function pushIfFree(parts: DeploymentParts, entry: Entry, context: RequestContext): Promise<void> {
  const { platform } = parts;
  const { location, certificate } = entry;
  const isClaimed = await platform.database.transaction(async (tx) => {
    await locations.lock(tx, location.uuid);
    if (!isFree(location, await findHeld(tx, [location.uuid]), certificate.uuid)) return false;
    const key = { location_uuid: location.uuid, certificate_uuid: certificate.uuid };
    return (await claimHeld(tx, key, { from: 'waiting', to: 'pushing', at: platform.clock.now() })) !== undefined;
  });
  if (isClaimed) await executePush(parts, entry, context);
}

/** Pushes a certificate whose entry is in state `pushing`. */
async function executePush(parts: DeploymentParts, entry: Entry, context: RequestContext): Promise<void> {
  const { certificates, values } = parts;
  const { location, certificate } = entry;
  const { client, params, entity } = entry.reached;
  try {
    const body = {
      certificate: Buffer.from(await certificates.content(certificate.uuid)).toString('base64'),
      certificateType: 'X.509' as const,
      locationAttributes: await values.toSend(location.uuid, entity.connector_uuid),
      pushAttributes: await values.readOf(keyOf(entry), 'push'),
    };
    const { pushCertificateToLocation } = entityProviderOperations;
    const answer = await client.call(pushCertificateToLocation, { params, body }, { signal: context.signal });
    parts.platform.faultPoint('entities.afterPush');
    await settle(parts, entry, { answer });
  } catch (error) {
    if (!isAppError(error)) throw error;
    // Without a response, the outcome is unknown; the next read of the location's contents determines it.
    if (!isOutcomeUnknown(error)) await settle(parts, entry, { problem: problemsOf(error).join('; ') });
    throw error;
  }
}

type Outcome = { readonly answer: PushCertificateResponseDto } | { readonly problem: string };

/** Has no effect if the push has already been settled. */
export async function settle(
  { platform, contents, certificates, arrived }: DeploymentParts,
  { location, reached, certificate }: Entry,
  outcome: Outcome,
): Promise<void> {
  await platform.database.transaction(async (tx) => {
    const at = platform.clock.now();
    const failed = 'problem' in outcome;
    const key = { location_uuid: location.uuid, certificate_uuid: certificate.uuid };
    const row = await claimHeld(tx, key, { from: 'pushing', to: failed ? 'failed' : 'installed', at });
    if (!row) return;
    if (failed) await storeHeld(tx, { ...row, problem: outcome.problem });
    const gone = failed ? [] : await recordArrival(tx, row, { ...reportedFacts(row, outcome.answer), at });
    const connectorUuid = reached.entity.connector_uuid;
    await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid, gone });
    const message = failed
      ? `Push to location ${location.name} failed: ${outcome.problem}`
      : `Pushed to location ${location.name}`;
    await certificates.tell(tx, { uuid: certificate.uuid, failed, message }, { at, by: row.requested_by });
  });
  arrived();
}

const reportedFacts = (row: HeldRow, { withKey, certificateMetadata }: PushCertificateResponseDto) => ({
  withKey: withKey ?? row.with_key,
  metadata: certificateMetadata ?? row.metadata,
});

/** Returns the key under which an entry's values are stored. */
export const keyOfHeld = (row: HeldRow, connectorUuid: string | null) => ({
  locationUuid: row.location_uuid,
  certificateUuid: row.certificate_uuid,
  connectorUuid,
});

export const keyOf = ({ location, reached, certificate }: Entry) => ({
  locationUuid: location.uuid,
  certificateUuid: certificate.uuid,
  connectorUuid: reached.entity.connector_uuid,
});

const ENDED: ReadonlySet<string> = new Set(['failed', 'rejected', 'revoked', 'pending_revoke']);

function assertPushable({ title: name, state, archived }: HeldCertificate): void {
  if (archived) throw rejected(`Certificate ${name} is archived. Unarchive it first.`);
  const needed = 'an issued or pending certificate';
  if (ENDED.has(state)) throw new AppError('invalid_state', { what: 'Certificate', name, state, needed });
}

/** States of a certificate that is not in the location. */
const ABSENT: ReadonlySet<HeldState> = new Set(['failed', 'not_served', 'replaced']);

/**
 * A location that holds only one certificate cannot hold a second; failed entries are ignored. Returns the certificate
 * to be replaced, if there is one and replacement was requested.
 */
export function certificateToReplace(
  { name, multiple_entries: isRoomy }: LocationRow,
  held: readonly HeldRow[],
  { certificate, replace }: { readonly certificate?: HeldCertificate; readonly replace: boolean },
): string | null {
  const others = held.filter(({ certificate_uuid: uuid, state }) => uuid !== certificate?.uuid && !ABSENT.has(state));
  const [other] = others;
  if (isRoomy || !other) return null;
  if (!replace)
    throw rejected(
      `Location ${name} already holds a certificate and cannot hold more than one. Replace it, or remove it first.`,
    );
  if (others.some(({ state }) => state === 'waiting' || state === 'pushing'))
    throw rejected(
      `A certificate is already being deployed to location ${name}, which holds only one. Wait until it is installed, or remove it first.`,
    );
  return other.certificate_uuid;
}

/**
 * Returns whether a push is possible. After two concurrent pushes to a location that holds only one certificate, it
 * would be unknown which certificate is there.
 */
export const isFree = (
  { multiple_entries: isRoomy }: LocationRow,
  held: readonly HeldRow[],
  certificateUuid: string,
): boolean =>
  isRoomy || !held.some(({ certificate_uuid: uuid, state }) => uuid !== certificateUuid && state === 'pushing');
