// Starts enrollment transactions and determines their outcome. A transaction reserves its certificate's UUID before it
// requests anything, so a repeated message, on any node, finds the same certificate instead of requesting a second one.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected, type AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RequestFacts } from '../certificates/index.ts';
import type { ProtocolCertificates, ProtocolOutcome } from '../issuing/index.ts';
import type { ServedProfile, ServedRaProfile } from '../protocol-profiles/index.ts';
import * as store from './store.ts';
import type { BegunRow, EnrollmentDetail, EnrollmentRow } from './tables.ts';

/**
 * Longer than an authority call takes; a transaction that has no certificate after this time was abandoned by a crashed
 * node.
 */
const ABANDONED_AFTER_MS = 60_000;

export interface EnrollmentRequest {
  readonly protocol: EnrollmentRow['protocol'];
  readonly profile: ServedProfile;
  /** 1 to 255 characters, unique per protocol and profile. */
  readonly transactionId: string;
  /** Message type, as named by the protocol. */
  readonly kind: string;
  /** Description of the requester: the signer's subject, a username, or `shared secret`. */
  readonly requester: string;
  readonly request: RequestFacts;
  /** The certificate being replaced: it is renewed if the request is for the same key, and otherwise rekeyed. */
  readonly predecessorUuid?: string | undefined;
  /** If true, the request is stored until an operator issues or rejects it. */
  readonly requireManualApproval?: boolean | undefined;
  /** Consumed when the transaction starts. */
  readonly oneTimeSecretUuid?: string | undefined;
  readonly detail?: EnrollmentDetail | undefined;
  /** Returns the detail to be stored if the issuance path rejects the request, so that later responses agree. */
  readonly detailOfRejection?: ((error: AppError) => EnrollmentDetail) | undefined;
}

/** Outcome of a request, with the detail that replaces the stored one. */
type RequestOutcome = ProtocolOutcome & { readonly detail?: EnrollmentDetail | undefined };

/** State of a transaction. */
export interface Enrollment {
  readonly uuid: string;
  readonly transactionId: string;
  readonly kind: string;
  readonly state: EnrollmentRow['state'];
  readonly certificateUuid: string;
  /** DER encoding, once the certificate is issued. */
  readonly certificate: Uint8Array | undefined;
  /** Error message, if rejected. */
  readonly problem: string | undefined;
  /** SHA-256 of the request's DER encoding, in lowercase hex. */
  readonly requestFingerprint: string;
  readonly detail: EnrollmentDetail;
  readonly createdAt: Date;
  /**
   * Whether the node crashed before it requested the certificate; if so, `enroll` with the same request resumes the
   * transaction.
   */
  readonly isAbandoned: boolean;
  /** False if the certificate has not been requested yet, or if a user deleted the request. */
  readonly isAskedFor: boolean;
}

export interface BegunEnrollment {
  /** False if the transaction already existed and none was started. */
  readonly isNew: boolean;
  readonly enrollment: Enrollment;
}

export interface EnrollParts {
  readonly platform: Pick<Platform, 'database' | 'clock' | 'faultPoint' | 'log'>;
  readonly statements: store.EnrollmentStatements;
  readonly certificates: Pick<ProtocolCertificates, 'issue' | 'submit' | 'outcomeOf'>;
}

/**
 * Starts a transaction or finds the existing one. If the issuance path rejects the request, the transaction ends as
 * `refused` with the error message; internal errors are thrown.
 */
export async function enroll(
  parts: EnrollParts,
  request: EnrollmentRequest,
  context: RequestContext,
): Promise<BegunEnrollment> {
  const { platform, statements } = parts;
  const row = newRow(request, { now: platform.clock.now(), address: context.source?.ipAddress ?? null });
  if (await statements.begin(row, request.oneTimeSecretUuid))
    return { isNew: true, enrollment: await executeRequest(parts, { request, row }, context) };
  const known = await statements.find(keyOf(request));
  if (!known)
    throw rejected('The one-time secret has already been used, was withdrawn or has expired; request a new one.');
  const enrollment = await presentState(parts, known);
  if (enrollment.isAbandoned && (await tryTakeOver(parts, known, request)))
    return { isNew: true, enrollment: await executeRequest(parts, { request, row: known }, context) };
  return { isNew: false, enrollment };
}

const keyOf = ({ protocol, profile, transactionId }: EnrollmentRequest): store.TransactionKey => ({
  protocol,
  profileUuid: profile.uuid,
  transactionId,
});

const newRow = (
  request: EnrollmentRequest,
  { now, address }: { readonly now: Date; readonly address: string | null },
): BegunRow => ({
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
  address,
  detail: request.detail ?? {},
  created_at: now,
  updated_at: now,
});

/** If several copies of the same request arrive simultaneously, only one of them resumes the transaction. */
async function tryTakeOver(
  { platform: { clock, database } }: EnrollParts,
  { uuid, request_fingerprint: begun }: BegunRow,
  { request }: EnrollmentRequest,
): Promise<boolean> {
  if (begun !== request.fingerprint) return false;
  const now = clock.now();
  return store.takeOver(database.executor, { uuid, before: abandonedBefore(now), now });
}

const abandonedBefore = (now: Date): Date => new Date(now.getTime() - ABANDONED_AFTER_MS);

async function executeRequest(
  parts: EnrollParts,
  facts: { readonly request: EnrollmentRequest; readonly row: BegunRow },
  context: RequestContext,
): Promise<Enrollment> {
  parts.platform.faultPoint('enrollment.afterBegin');
  const outcome = await ask(parts, facts, context);
  parts.platform.faultPoint('enrollment.beforeSettled');
  return settleOutcome(parts, facts.row, outcome);
}

async function ask(
  { certificates }: EnrollParts,
  { request, row }: { readonly request: EnrollmentRequest; readonly row: BegunRow },
  context: RequestContext,
): Promise<RequestOutcome> {
  const { profile, predecessorUuid, requireManualApproval = false } = request;
  const refusedBy = (error: AppError): RequestOutcome => ({
    status: 'refused',
    problem: error.message,
    detail: request.detailOfRejection?.(error),
  });
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
    return outcome?.status === 'failed' ? refusedBy(outcome.error) : { status: 'waiting' };
  } catch (error) {
    if (isAppError(error)) return refusedBy(error);
    throw error;
  }
}

function issuingProfileOf({ raProfile }: ServedProfile): ServedRaProfile & { readonly authorityUuid: string } {
  const { authorityUuid } = raProfile ?? {};
  if (raProfile && authorityUuid !== undefined) return { ...raProfile, authorityUuid };
  throw rejected('The profile has no RA profile with an authority that can issue certificates.');
}

/** Returns the current state of a transaction; undefined if it does not exist. */
export async function findEnrollment(parts: EnrollParts, key: store.TransactionKey): Promise<Enrollment | undefined> {
  const row = await parts.statements.find(key);
  return row && presentState(parts, row);
}

async function presentState(parts: EnrollParts, row: BegunRow): Promise<Enrollment> {
  if (row.state === 'refused') return present(row, {});
  const outcome = await parts.certificates.outcomeOf(row.certificate_uuid);
  if (row.state !== 'waiting') return present(row, outcome ? certificateOf(outcome) : {});
  if (outcome) return settleOutcome(parts, row, outcome);
  const isAbandoned = row.updated_at < abandonedBefore(parts.platform.clock.now());
  return { ...present(row, {}), isAbandoned, isAskedFor: false };
}

/** Records the outcome for use in lists and in responses to later messages. */
async function settleOutcome(
  { platform: { clock, log }, statements }: EnrollParts,
  row: BegunRow,
  outcome: RequestOutcome,
): Promise<Enrollment> {
  if (outcome.status === 'waiting') return present(row, {});
  const { status: state, detail } = outcome;
  const problem = state === 'refused' ? outcome.problem : undefined;
  const noted = statements.settleShown({ uuid: row.uuid, from: ['waiting'], state, problem, detail, at: clock.now() });
  // If a certificate was issued, its state already shows the outcome.
  if (state === 'refused') await noted;
  else
    noted.catch((error: unknown) =>
      log.warn({ error, enrollment: row.uuid }, 'cannot record the outcome of an issued enrollment'),
    );
  return present({ ...row, state, problem: problem ?? null, detail: detail ?? row.detail }, certificateOf(outcome));
}

const certificateOf = (outcome: ProtocolOutcome): Pick<Enrollment, 'certificate'> | object =>
  'der' in outcome ? { certificate: outcome.der } : {};

const present = (row: BegunRow, { certificate }: { readonly certificate?: Uint8Array }): Enrollment => ({
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
