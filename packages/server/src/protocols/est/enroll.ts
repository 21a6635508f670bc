// simpleenroll and simplereenroll (RFC 7030 §4.2): return the certificate for a PKCS #10 request, or a time after which
// the client sends the same request again.
import { createHash } from 'node:crypto';
import { parseCertificate, readCertificationRequest, writePem } from '@signetry/pki';
import type { RequestFacts } from '../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import {
  describeExcessNames,
  describeMissingNames,
  namesOfCertificate,
  type BoundNames,
  type Enrollment,
  type Enrollments,
} from '../../areas/enrollments/index.ts';
import type { ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { assertLinked } from './linking.ts';
import { EstRejection, RecordedRejection, unauthenticated } from './rejection.ts';
import type { Requester } from './requester.ts';

/** Maximum number of attempts with one request. Each earlier rejection has been reported to the client. */
const MAX_ATTEMPTS = 50;
/** For this long after issuance, the same request returns the same certificate; later, it requests a new one. */
const REPEATED_FOR_MS = 7 * 24 * 60 * 60_000;

export type EnrollOperation = 'simpleenroll' | 'simplereenroll' | 'serverkeygen';

export interface EnrollCall {
  readonly operation: EnrollOperation;
  readonly profile: ServedEstProfile;
  readonly requester: Requester;
  /** Request in DER. */
  readonly der: Uint8Array;
  /** Returns the connection's channel binding in Base64. */
  readonly binding: () => string | undefined;
}

export interface EnrollParts {
  readonly clock: Clock;
  readonly certificates: ProtocolCertificates;
  readonly enrollments: Enrollments;
}

/** Returns the certificate in DER; undefined if it is pending. */
export async function enroll(
  parts: EnrollParts,
  call: EnrollCall,
  context: RequestContext,
): Promise<Uint8Array | undefined> {
  const attempt = await findAttempt(parts, call);
  if (attempt.known && !attempt.known.isAbandoned) return reportOutcome(parts, attempt.known);
  await evaluateRequest(parts, call, attempt.known);
  return reportOutcome(parts, await beginEnrollment(parts, call, attempt, context));
}

/**
 * Rejects a request that the requester is not permitted to send. `known` is a transaction that was already accepted.
 */
export async function evaluateRequest(
  { certificates }: Pick<EnrollParts, 'certificates'>,
  call: EnrollCall,
  known?: Enrollment,
): Promise<void> {
  const { requester, profile } = call;
  if (!known && requester.by === 'oneTimePassword' && !requester.secret)
    throw unauthenticated(
      'The username or password is incorrect, or the one-time password was already used or has expired.',
    );
  const request = await certificates.readRequest(call.der);
  assertLinked(readCertificationRequest(writePem('CERTIFICATE REQUEST', call.der)).challengePassword, {
    binding: call.binding,
    isRequired: profile.requireLinking,
  });
  assertAllowed(call, request);
}

/** Starts an enrollment for a request that has passed `judge`. */
export async function beginEnrollment(
  parts: EnrollParts,
  call: EnrollCall,
  { transactionId }: Pick<Attempt, 'transactionId'>,
  context: RequestContext,
): Promise<Enrollment> {
  const { profile, requester, operation } = call;
  const { enrollment } = await parts.enrollments.enroll(
    {
      protocol: 'est',
      profile,
      transactionId,
      kind: operation,
      requester: requester.name,
      request: await parts.certificates.readRequest(call.der),
      predecessorUuid: predecessorOf(call),
      requireManualApproval: profile.manualApproval,
      oneTimeSecretUuid: requester.by === 'oneTimePassword' ? requester.secret?.uuid : undefined,
    },
    context,
  );
  return enrollment;
}

interface Attempt {
  readonly transactionId: string;
  readonly known?: Enrollment;
}

/**
 * Finds the transaction of a repeated request, by the request and the requester's identity. A rejection is reported
 * once; a later attempt starts a new transaction, as does an old request that is sent again for renewal.
 */
async function findAttempt(
  { enrollments, clock }: EnrollParts,
  { profile, requester, der }: EnrollCall,
): Promise<Attempt> {
  const asked = createHash('sha256').update(requester.identity).update('\0').update(der).digest('hex');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const transactionId = attempt === 1 ? asked : `${asked}.${attempt}`;
    const known = await enrollments.find({ protocol: 'est', profileUuid: profile.uuid, transactionId });
    if (!known) return { transactionId };
    if (!isFinished(known, clock.now())) return { transactionId, known };
  }
  throw new EstRejection(400, `This request was rejected ${MAX_ATTEMPTS} times; create a new one.`);
}

function isFinished({ detail, certificate }: Enrollment, now: Date): boolean {
  if (detail.told === true) return true;
  return certificate !== undefined && now.getTime() - parseCertificate(certificate).notBeforeMs > REPEATED_FOR_MS;
}

async function reportOutcome({ enrollments }: EnrollParts, enrollment: Enrollment): Promise<Uint8Array | undefined> {
  if (enrollment.state === 'revoked') throw new RecordedRejection(400, 'The certificate of this request is revoked.');
  if (enrollment.state !== 'refused') return enrollment.certificate;
  await enrollments.settle(enrollment.uuid, { from: ['refused'], state: 'refused', detail: { told: true } });
  throw new RecordedRejection(400, enrollment.problem ?? 'The request was rejected.');
}

/** Returns the certificate to be renewed, if it belongs to the RA profile. */
function predecessorOf({ operation, profile, requester }: EnrollCall): string | undefined {
  if (operation !== 'simplereenroll' || requester.by !== 'certificate' || !requester.own) return undefined;
  return requester.own.ra_profile_uuid === profile.raProfile?.uuid ? requester.own.uuid : undefined;
}

function assertAllowed(call: EnrollCall, request: RequestFacts): void {
  const { operation, profile, requester } = call;
  if (requester.by !== 'certificate' && operation === 'simplereenroll' && !profile.passwordsRenew)
    throw new EstRejection(
      403,
      'This profile requires renewals to be authenticated with the certificate being renewed.',
    );
  const bound = boundNamesOf(call);
  const problem =
    bound &&
    (describeExcessNames(bound, request) ?? (mustKeepNames(call) ? describeMissingNames(bound, request) : undefined));
  if (problem !== undefined) throw new EstRejection(403, problem);
}

/** Returns the names for which the client can obtain a certificate; undefined if only the RA profile restricts them. */
function boundNamesOf(call: EnrollCall): BoundNames | undefined {
  const { profile, requester } = call;
  if (requester.by === 'oneTimePassword') return requester.secret?.names;
  if (requester.by === 'password') return undefined;
  return profile.bindNames || mustKeepNames(call) ? namesOfCertificate(requester.certificate) : undefined;
}

/**
 * Returns whether the client, which authenticates with a certificate, must request exactly the names in that
 * certificate.
 */
const mustKeepNames = ({ operation, profile, requester }: EstCallFacts): boolean =>
  requester.by === 'certificate' &&
  profile.renewalsKeepNames &&
  (operation === 'simplereenroll' || requester.own !== undefined);

type EstCallFacts = Pick<EnrollCall, 'operation' | 'profile' | 'requester'>;
