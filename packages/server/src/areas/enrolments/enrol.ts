// Begins transactions and finds out what became of them. A transaction names its certificate before anything is asked
// for, so that a repeated message, on whatever node, finds the same certificate instead of another one.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RequestFacts } from '../certificates/index.ts';
import type { ProtocolCertificates, ProtocolOutcome } from '../issuing/index.ts';
import type { ServedProfile, ServedRaProfile } from '../protocol-profiles/index.ts';
import * as store from './store.ts';
import type { BegunRow, EnrolmentDetail, EnrolmentRow } from './tables.ts';

/** Longer than the call of an authority; what has no certificate then was left by a node that died. */
const ABANDONED_AFTER_MS = 60_000;

export interface EnrolmentRequest {
  readonly protocol: EnrolmentRow['protocol'];
  readonly profile: ServedProfile;
  /** 1 to 255 characters, unique by protocol and profile. */
  readonly transactionId: string;
  /** The message, as the protocol names it. */
  readonly kind: string;
  /** Who asked, in words: the subject of the signer, the name of a user, `shared secret`. */
  readonly requester: string;
  readonly request: RequestFacts;
  /** The certificate that is succeeded: renewed where the request is for its key, otherwise rekeyed. */
  readonly predecessorUuid?: string | undefined;
  /** The request is kept, and an operator issues or rejects it. */
  readonly requireManualApproval?: boolean | undefined;
  /** Used up where the transaction begins. */
  readonly oneTimeSecretUuid?: string | undefined;
  readonly detail?: EnrolmentDetail | undefined;
}

/** How a transaction stands. */
export interface Enrolment {
  readonly uuid: string;
  readonly transactionId: string;
  readonly kind: string;
  readonly state: EnrolmentRow['state'];
  readonly certificateUuid: string;
  /** DER, once it is issued. */
  readonly certificate: Uint8Array | undefined;
  /** In words, where it was refused. */
  readonly problem: string | undefined;
  /** Lower-case hex SHA-256 of the DER of the request. */
  readonly requestFingerprint: string;
  readonly detail: EnrolmentDetail;
  readonly createdAt: Date;
  /** Its node died before it asked for the certificate: `enrol` with the same request goes on with it. */
  readonly isAbandoned: boolean;
  /** False: its certificate was not asked for yet, or a person deleted the request. */
  readonly isAskedFor: boolean;
}

export interface BegunEnrolment {
  /** False: the transaction was known, and nothing was begun. */
  readonly isNew: boolean;
  readonly enrolment: Enrolment;
}

export interface EnrolParts {
  readonly platform: Pick<Platform, 'database' | 'clock' | 'faultPoint' | 'log'>;
  readonly statements: store.EnrolmentStatements;
  readonly certificates: Pick<ProtocolCertificates, 'issue' | 'submit' | 'outcomeOf'>;
}

/** What the issuing path refuses ends as `refused`, in its words; faults of ours are thrown. */
export async function enrol(
  parts: EnrolParts,
  request: EnrolmentRequest,
  context: RequestContext,
): Promise<BegunEnrolment> {
  const { platform, statements } = parts;
  const row = newRow(request, platform.clock.now());
  if (await statements.begin(row, request.oneTimeSecretUuid))
    return { isNew: true, enrolment: await carryOut(parts, { request, row }, context) };
  const known = await statements.find(keyOf(request));
  if (!known)
    throw rejected('The one-time secret was used already, was withdrawn or has expired; ask for another one.');
  const enrolment = await presentState(parts, known);
  if (enrolment.isAbandoned && (await isTakenOver(parts, known, request)))
    return { isNew: true, enrolment: await carryOut(parts, { request, row: known }, context) };
  return { isNew: false, enrolment };
}

const keyOf = ({ protocol, profile, transactionId }: EnrolmentRequest): store.TransactionKey => ({
  protocol,
  profileUuid: profile.uuid,
  transactionId,
});

const newRow = (request: EnrolmentRequest, now: Date): BegunRow => ({
  uuid: newUuid(),
  protocol: request.protocol,
  profile_uuid: request.profile.uuid,
  profile_name: request.profile.name,
  ra_profile_uuid: request.profile.raProfile?.uuid ?? null,
  transaction_id: request.transactionId,
  kind: request.kind,
  requester: request.requester,
  subject: request.request.subject_dn,
  request_fingerprint: request.request.fingerprint,
  certificate_uuid: newUuid(),
  state: 'waiting',
  problem: null,
  detail: request.detail ?? {},
  created_at: now,
  updated_at: now,
});

/** Of several that come at once with the same request, one goes on with it. */
async function isTakenOver(
  { platform: { clock, database } }: EnrolParts,
  { uuid, request_fingerprint: begun }: BegunRow,
  { request }: EnrolmentRequest,
): Promise<boolean> {
  if (begun !== request.fingerprint) return false;
  const now = clock.now();
  return store.takeOver(database.executor, { uuid, before: abandonedBefore(now), now });
}

const abandonedBefore = (now: Date): Date => new Date(now.getTime() - ABANDONED_AFTER_MS);

async function carryOut(
  parts: EnrolParts,
  facts: { readonly request: EnrolmentRequest; readonly row: BegunRow },
  context: RequestContext,
): Promise<Enrolment> {
  parts.platform.faultPoint('enrolment.afterBegin');
  const outcome = await ask(parts, facts, context);
  parts.platform.faultPoint('enrolment.beforeSettled');
  return settled(parts, facts.row, outcome);
}

async function ask(
  { certificates }: EnrolParts,
  { request, row }: { readonly request: EnrolmentRequest; readonly row: BegunRow },
  context: RequestContext,
): Promise<ProtocolOutcome> {
  const { profile, predecessorUuid, requireManualApproval = false } = request;
  try {
    const raProfile = issuingProfileOf(profile);
    const input = {
      authorityUuid: raProfile.authorityUuid,
      raProfileUuid: raProfile.uuid,
      request: request.request,
      attributes: profile.issueAttributes,
      association: {
        certificateUuid: row.certificate_uuid,
        protocol: { protocol: request.protocol, profileUuid: profile.uuid, accountUuid: null },
        account: undefined,
        owner: profile.association.owner,
        groupUuids: profile.association.groupUuids,
        customAttributes: profile.association.customAttributes,
      },
    };
    if (requireManualApproval) {
      await certificates.submit(input, context);
      return (await certificates.outcomeOf(row.certificate_uuid)) ?? { status: 'waiting' };
    }
    const outcome = await certificates.issue({ ...input, predecessorUuid }, context);
    if (outcome?.status === 'issued') return outcome;
    return outcome?.status === 'failed' ? { status: 'refused', problem: outcome.error.message } : { status: 'waiting' };
  } catch (error) {
    if (isAppError(error)) return { status: 'refused', problem: error.message };
    throw error;
  }
}

function issuingProfileOf({ raProfile }: ServedProfile): ServedRaProfile & { readonly authorityUuid: string } {
  const { authorityUuid } = raProfile ?? {};
  if (raProfile && authorityUuid !== undefined) return { ...raProfile, authorityUuid };
  throw rejected('The profile has no RA profile with an authority to issue with.');
}

/** How a transaction stands now; `undefined` where none is known. */
export async function findEnrolment(parts: EnrolParts, key: store.TransactionKey): Promise<Enrolment | undefined> {
  const row = await parts.statements.find(key);
  return row && presentState(parts, row);
}

async function presentState(parts: EnrolParts, row: BegunRow): Promise<Enrolment> {
  if (row.state === 'refused') return present(row, {});
  const outcome = await parts.certificates.outcomeOf(row.certificate_uuid);
  if (row.state !== 'waiting') return present(row, outcome ? certificateOf(outcome) : {});
  if (outcome) return settled(parts, row, outcome);
  const isAbandoned = row.updated_at < abandonedBefore(parts.platform.clock.now());
  return { ...present(row, {}), isAbandoned, isAskedFor: false };
}

/** Writes down how it ended, so that lists and later messages find it. */
async function settled(
  { platform: { clock, log }, statements }: EnrolParts,
  row: BegunRow,
  outcome: ProtocolOutcome,
): Promise<Enrolment> {
  if (outcome.status === 'waiting') return present(row, {});
  const state = outcome.status;
  const problem = state === 'refused' ? outcome.problem : undefined;
  const noted = statements.settleShown({ uuid: row.uuid, from: ['waiting'], state, problem, at: clock.now() });
  // A certificate shows by itself how its enrolment ended.
  if (state === 'refused') await noted;
  else
    noted.catch((error: unknown) => log.warn({ error, enrolment: row.uuid }, 'an issued enrolment could not be noted'));
  return present({ ...row, state, problem: problem ?? null }, certificateOf(outcome));
}

const certificateOf = (outcome: ProtocolOutcome): Pick<Enrolment, 'certificate'> | object =>
  'der' in outcome ? { certificate: outcome.der } : {};

const present = (row: BegunRow, { certificate }: { readonly certificate?: Uint8Array }): Enrolment => ({
  uuid: row.uuid,
  transactionId: row.transaction_id,
  kind: row.kind,
  state: row.state,
  certificateUuid: row.certificate_uuid,
  certificate,
  problem: row.problem ?? undefined,
  requestFingerprint: row.request_fingerprint,
  detail: row.detail,
  createdAt: row.created_at,
  isAbandoned: false,
  isAskedFor: true,
});
