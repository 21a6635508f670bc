// Reserves a requested certificate: writes the request, the certificate object in state `requested`, history, operation
// and audit record. Keys that were revoked as compromised, or are known to be weak, are rejected here for every caller.
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { firstLease } from '../operations/leases.ts';
import type { DeferredReservation, Owner, Reservation } from '../operations/reservation.ts';
import { SuccessorInProgress } from '../operations/succession.ts';
import { requesterOf, type IssuingWork, type Requester } from '../operations/work.ts';
import { rejectListedKey, type WeakKeyLists } from '../../certificates/index.ts';
import type { CheckedRequest } from './check.ts';
import type { Durability } from './durability.ts';
import { recordOf, type ReservationWithContext, type WriteReservation } from './write-reservations.ts';

export interface ReserveParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly issueAttributes: CallAttributes;
  readonly writeReservation: WriteReservation;
  readonly weakKeys: WeakKeyLists;
}

/** Returns the error for a key that was revoked as compromised. */
export const compromisedKey = () =>
  rejected('request: its key was revoked as compromised and will not be certified again; generate a new key pair');

/** Checked request, as work for an authority and as the rows that reserve it. */
export interface PreparedRequest {
  readonly work: IssuingWork;
  readonly item: ReservationWithContext;
  /** Resolves when the caller has committed to repeating the request after a crash; see `Association.committed`. */
  readonly callerCommitted: Promise<unknown> | undefined;
}

/** Prepares the work without writing anything. This node holds its lease unless it waits for approval. */
export function prepare(
  parts: ReserveParts,
  checked: CheckedRequest,
  { context, approvalProfileUuid }: Pick<Intent, 'context' | 'approvalProfileUuid'>,
): PreparedRequest {
  const { association, customAttributes: _kept, withReservation: _written, begunAt: _asked, ...facts } = checked;
  const certificateUuid = association?.certificateUuid ?? newUuid();
  const callerCommitted = association?.committed;
  const work: IssuingWork = {
    ...facts,
    // The identifier stays the same whenever a caller repeats the request, so that an authority that has already signed
    // repeats its response.
    operationUuid: callerCommitted ? certificateUuid : newUuid(),
    certificateUuid,
    requester: requesterOf(context),
    attempts: 1,
    context,
  };
  return { work, item: itemOf(parts, { ...work, checked, approvalProfileUuid }), callerCommitted };
}

/** Resolves when the reservation is committed; rejects and writes nothing if the caller does not commit. */
export async function reserve(
  parts: ReserveParts,
  { item, callerCommitted }: PreparedRequest,
  durability: Exclude<Durability, 'writtenAtOnce'>,
): Promise<void> {
  parts.platform.faultPoint('issue.beforeIntent');
  if (callerCommitted) await callerCommitted;
  await write(parts, { ...item, durability });
}

/** Returns the reservation that is written with the certificate instead. */
export function deferredReservation(parts: ReserveParts, { item }: PreparedRequest): DeferredReservation {
  parts.platform.faultPoint('issue.beforeIntent');
  rejectListedKey(parts.weakKeys, item.reservation.request);
  return {
    reservation: item.reservation,
    audit: recordOf(parts.audit, item),
    write: () => write(parts, { ...item, durability: 'reservedFirst' }),
  };
}

/** Stores a checked request that is issued later, by a separate operation; returns its certificate object. */
export async function storeRequest(
  parts: ReserveParts,
  checked: CheckedRequest,
  context: RequestContext,
): Promise<string> {
  const certificateUuid = checked.association?.certificateUuid ?? newUuid();
  const intent = { checked, context, certificateUuid, operationUuid: null, requester: requesterOf(context) };
  await write(parts, itemOf(parts, intent));
  return certificateUuid;
}

interface Intent extends Pick<Reservation, 'certificateUuid' | 'operationUuid'> {
  readonly checked: CheckedRequest;
  readonly requester: Requester;
  readonly context: RequestContext;
  readonly approvalProfileUuid?: string | undefined;
}

async function write({ weakKeys, writeReservation }: ReserveParts, item: ReservationWithContext): Promise<void> {
  rejectListedKey(weakKeys, item.reservation.request);
  const unreserved = await writeReservation(item);
  if (unreserved === 'compromised') throw compromisedKey();
  if (unreserved)
    throw new SuccessorInProgress(item.reservation.request.common_name || unreserved.predecessorUuid, unreserved);
}

function itemOf({ platform, issueAttributes }: ReserveParts, intent: Intent): ReservationWithContext {
  const { checked, certificateUuid, context } = intent;
  return {
    reservation: reservationOf(intent, firstLease(platform)),
    context,
    values: [
      issueAttributes.valueSet(certificateUuid, checked.profile, checked.attributes),
      issueAttributes.customSet(certificateUuid, checked.customAttributes),
    ],
    groupUuids: checked.association?.groupUuids ?? [],
    affiliated: checked.association?.account,
    enrollment: checked.enrollment,
    withReservation: checked.withReservation,
    approvalProfileUuid: intent.approvalProfileUuid,
    durability: 'reservedFirst',
    begunAt: checked.begunAt,
  };
}

function reservationOf(
  { checked, certificateUuid, operationUuid, requester }: Intent,
  lease: ReturnType<typeof firstLease>,
): Reservation {
  const { kind, profile, predecessor, association, request, enrollment } = checked;
  return {
    certificateUuid,
    operationUuid,
    kind,
    raProfileUuid: profile.uuid,
    predecessorUuid: predecessor?.uuid ?? null,
    requesterUuid: requester.uuid,
    requesterName: requester.name,
    payload: enrollment ? { endEntity: enrollment.username } : {},
    leasedBy: lease.leased_by,
    leasedUntil: lease.leased_until,
    createdAt: lease.created_at,
    historyUuid: newUuid(),
    owner: association ? association.owner : ownerOf(requester),
    protocol: association?.protocol ?? null,
    request,
  };
}

/** The requester owns the certificate. */
const ownerOf = ({ uuid, name }: Requester): Owner | null => (uuid === null ? null : { uuid, username: name });
