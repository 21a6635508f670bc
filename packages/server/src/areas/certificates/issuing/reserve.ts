// Writes the intent: request, certificate object in state requested, history, operation and audit record, committed
// before any authority is called. A key that was revoked as compromised, or is known to be weak, ends here, for every
// caller.
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { firstLease } from '../operations/leases.ts';
import { requesterOf, type IssuingWork, type Requester } from '../operations/work.ts';
import { refuseListedKey, type WeakKeyLists } from '../core/weak-key-lists.ts';
import type { CheckedRequest } from './check.ts';
import type { Owner, Reservation } from './store.ts';
import type { WriteReservation } from './write-reservations.ts';

export interface ReserveParts {
  readonly platform: Platform;
  readonly issueAttributes: CallAttributes;
  readonly writeReservation: WriteReservation;
  readonly weakKeys: WeakKeyLists;
}

/** The refusal of a key that was revoked as compromised. */
export const compromisedKey = () =>
  rejected('request: its key was revoked as compromised and will not be certified again; generate a new key pair');

interface ReserveOptions {
  readonly context: RequestContext;
  readonly approvalProfileUuid?: string | undefined;
  /** A record that is waited for follows before anything leaves, so that this commit need not be. */
  readonly isFollowed?: boolean;
}

/** The work at the authority, which this node has the lease of unless it waits for approval. */
export interface Reserved {
  readonly work: IssuingWork;
  /** Resolves when the intent is committed; rejects when there is none. */
  readonly committed: Promise<void>;
}

/** Reserves a checked request. */
export function reserve(
  parts: ReserveParts,
  checked: CheckedRequest,
  { context, approvalProfileUuid, isFollowed = false }: ReserveOptions,
): Reserved {
  parts.platform.faultPoint('issue.beforeIntent');
  const { association, customAttributes: _kept, withReservation: _written, ...facts } = checked;
  const work: IssuingWork = {
    ...facts,
    operationUuid: newUuid(),
    certificateUuid: association?.certificateUuid ?? newUuid(),
    requester: requesterOf(context),
    attempts: 1,
    context,
  };
  return { work, committed: write(parts, { ...work, checked, approvalProfileUuid, isFollowed }) };
}

/** Keeps a checked request that is issued later, by an operation of its own; returns its certificate object. */
export async function keepRequest(
  parts: ReserveParts,
  checked: CheckedRequest,
  context: RequestContext,
): Promise<string> {
  const certificateUuid = checked.association?.certificateUuid ?? newUuid();
  await write(parts, { checked, context, certificateUuid, operationUuid: null, requester: requesterOf(context) });
  return certificateUuid;
}

interface Intent extends Pick<Reservation, 'certificateUuid' | 'operationUuid'> {
  readonly checked: CheckedRequest;
  readonly requester: Requester;
  readonly context: RequestContext;
  readonly approvalProfileUuid?: string | undefined;
  readonly isFollowed?: boolean;
}

async function write(parts: ReserveParts, intent: Intent): Promise<void> {
  const { platform, issueAttributes, writeReservation, weakKeys } = parts;
  const { checked, certificateUuid, context } = intent;
  refuseListedKey(weakKeys, checked.request);
  const isReserved = await writeReservation({
    reservation: reservationOf(intent, firstLease(platform)),
    context,
    values: [
      issueAttributes.valueSet(certificateUuid, checked.profile, checked.attributes),
      issueAttributes.customSet(certificateUuid, checked.customAttributes),
    ],
    groupUuids: checked.association?.groupUuids ?? [],
    affiliated: checked.association?.account,
    enrolment: checked.enrolment,
    withReservation: checked.withReservation,
    approvalProfileUuid: intent.approvalProfileUuid,
    isFollowed: intent.isFollowed ?? false,
  });
  if (!isReserved) throw compromisedKey();
}

function reservationOf(
  { checked, certificateUuid, operationUuid, requester }: Intent,
  lease: ReturnType<typeof firstLease>,
): Reservation {
  const { kind, profile, predecessor, association, request, enrolment } = checked;
  return {
    certificateUuid,
    operationUuid,
    kind,
    raProfileUuid: profile.uuid,
    predecessorUuid: predecessor?.uuid ?? null,
    requesterUuid: requester.uuid,
    requesterName: requester.name,
    payload: enrolment ? { endEntity: enrolment.username } : {},
    leasedBy: lease.leased_by,
    leasedUntil: lease.leased_until,
    createdAt: lease.created_at,
    historyUuid: newUuid(),
    owner: association ? association.owner : ownerOf(requester),
    protocol: association?.protocol ?? null,
    request,
  };
}

/** Whoever asks owns the certificate. */
const ownerOf = ({ uuid, name }: Requester): Owner | null => (uuid === null ? null : { uuid, username: name });
