// Handles each message type (RFC 8894 §3.3). All certificates are issued through enrollments, under the client's
// transaction identifier.
import {
  equalNames,
  formatName,
  formatSerialNumber,
  isSelfSignedFor,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  parseName,
  readIssuerAndSerialNumber,
  readIssuerAndSubject,
  type CertificationRequest,
  type ScepMessage,
} from '@signetry/pki';
import type { RequestFacts } from '../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { CertificateChains } from '../../areas/inventory/index.ts';
import {
  describeExcessNames,
  namesOfCertificate,
  type Enrollment,
  type Enrollments,
} from '../../areas/enrollments/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isAppError } from '../../kernel/errors.ts';
import { sha256 } from './sha256.ts';
import { admit, type Admission, type ChallengeParts } from './challenge.ts';
import { intuneRequestOf, type IntuneServices } from './intune/index.ts';
import { readContent } from './open-message.ts';
import { reject, ScepRejection } from './rejection.ts';
import { findPredecessor } from './renewal.ts';
import type { Outcome } from './respond.ts';

/** Maximum length of transaction identifiers in enrollments. */
const MAX_IDENTIFIER = 255;

export interface ProcessParts extends ChallengeParts {
  readonly clock: Clock;
  readonly certificates: ProtocolCertificates;
  readonly chains: Pick<CertificateChains, 'issuersOf'>;
  readonly enrollments: Enrollments;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly intune: Pick<IntuneServices, 'admit' | 'notices'>;
}

export interface ReceivedMessage {
  readonly profile: ServedScepProfile;
  readonly ca: SigningCertificate;
  readonly message: ScepMessage;
  /** Decrypted content. */
  readonly content: Uint8Array;
}

export function processMessage(parts: ProcessParts, asked: ReceivedMessage, context: RequestContext): Promise<Outcome> {
  switch (asked.message.messageType) {
    case 'PKCSReq':
    case 'RenewalReq':
      return enroll(parts, asked, context);
    case 'CertPoll':
      return poll(parts, asked);
    case 'GetCert':
      return getCertificate(parts, asked);
    case 'GetCRL':
      return getCrl(parts, asked);
    default:
      return reject('badRequest', 'This message type is not supported.');
  }
}

async function enroll(parts: ProcessParts, asked: ReceivedMessage, context: RequestContext): Promise<Outcome> {
  const { profile, message, content } = asked;
  const request = readContent(parseCertificationRequest, content);
  const known = await parts.enrollments.find(transactionOf(asked));
  const facts = await readFacts(parts, request);
  if (known && !known.isAbandoned) return outcomeOf(parts, asked, assertSameRequest(known, facts));
  const predecessorUuid = await findPredecessor(parts.certificates, {
    profile,
    certificate: message.certificate,
    facts,
    now: parts.clock.now(),
  });
  const wanted = { request, facts, predecessorUuid };
  const admission = known === undefined ? await admitNew(parts, asked, wanted, context) : {};
  const enrollment = await enrollUnderIntune(parts, asked, request, async () => {
    const begun = await parts.enrollments.enroll(
      {
        ...transactionOf(asked),
        profile,
        kind: message.messageType ?? '',
        requester: formatName(message.certificate.subject) || 'unnamed signer',
        request: facts,
        predecessorUuid,
        requireManualApproval: profile.requireManualApproval,
        ...admission,
        detail: { signerKey: keyOf(message) },
      },
      context,
    );
    return begun.enrollment;
  });
  return outcomeOf(parts, asked, assertSameRequest(enrollment, facts));
}

interface RequestedCertificate {
  readonly request: CertificationRequest;
  readonly facts: RequestFacts;
  readonly predecessorUuid: string | undefined;
}

/**
 * Authorizes a new request. Intune decides about every request; under other profiles, a certificate authorizes its
 * successor.
 */
async function admitNew(
  parts: ProcessParts,
  asked: ReceivedMessage,
  wanted: RequestedCertificate,
  context: RequestContext,
): Promise<Admission> {
  const { profile, message } = asked;
  if (wanted.predecessorUuid === undefined) assertFirst(asked, wanted);
  const { intune } = profile;
  if (intune)
    return checkChallenge(parts, asked, context, async () => {
      const request = intuneRequestOf(message, wanted.request);
      await parts.intune.admit({ account: intune, profile: profile.name, request });
      return {};
    });
  if (wanted.predecessorUuid === undefined)
    return checkChallenge(parts, asked, context, () => admit(parts, { profile, message, ...wanted }));
  const beyond = profile.bindNames
    ? describeExcessNames(namesOfCertificate(message.certificate), wanted.facts)
    : undefined;
  if (beyond !== undefined) reject('badRequest', beyond);
  return {};
}

/**
 * Checks the challenge, and counts wrong ones per client address; beyond a limit, requests are rejected with a SCEP
 * response.
 */
async function checkChallenge(
  { enrollments }: ProcessParts,
  { profile }: ReceivedMessage,
  { source }: RequestContext,
  check: () => Promise<Admission>,
): Promise<Admission> {
  const isWrong = (error: unknown) => error instanceof ScepRejection && error.failInfo === 'badMessageCheck';
  const credential = { address: source?.ipAddress, profileUuid: profile.uuid, isWrong };
  try {
    return await enrollments.checkCredential(credential, check);
  } catch (error) {
    if (isAppError(error, 'too_many_requests')) return reject('badRequest', error.message);
    throw error;
  }
}

/** Stores the pending Intune notification before a certificate is requested. */
async function enrollUnderIntune(
  { intune: { notices } }: ProcessParts,
  asked: ReceivedMessage,
  request: CertificationRequest,
  enrollIt: () => Promise<Enrollment>,
): Promise<Enrollment> {
  const { profile, message } = asked;
  if (!profile.intune) return enrollIt();
  const validated = { profile, enrollmentTransaction: transactionOf(asked).transactionId };
  await notices.expect({ ...validated, request: intuneRequestOf(message, request) });
  const enrollment = await enrollIt();
  await notices.hasten(validated);
  return enrollment;
}

function assertFirst(
  { message: { messageType, certificate } }: ReceivedMessage,
  { request }: RequestedCertificate,
): void {
  if (messageType === 'RenewalReq')
    reject('badMessageCheck', 'A RenewalReq must be signed with a certificate that was issued under this RA profile.');
  const isSelfSigned = equalNames(certificate.issuer, certificate.subject);
  if (isSelfSigned && !isSelfSignedFor(certificate, request.publicKey.spki))
    reject('badMessageCheck', 'A self-signed client certificate must contain the key of the request.');
}

async function readFacts({ certificates }: ProcessParts, request: CertificationRequest): Promise<RequestFacts> {
  try {
    return await certificates.readRequest(request.der);
  } catch (error) {
    if (isAppError(error)) return reject('badRequest', error.message);
    throw error;
  }
}

function assertSameRequest(enrollment: Enrollment, { fingerprint }: RequestFacts): Enrollment {
  if (enrollment.requestFingerprint === fingerprint) return enrollment;
  return reject('badRequest', 'The transaction identifier was already used for a different request; choose a new one.');
}

/** Returns the status of a transaction, only to the client that started it. */
async function poll(parts: ProcessParts, asked: ReceivedMessage): Promise<Outcome> {
  const enrollment = await parts.enrollments.find(transactionOf(asked));
  readContent(readIssuerAndSubject, asked.content);
  if (!enrollment) return reject('badCertId', 'Transaction not found.');
  if (enrollment.detail.signerKey !== keyOf(asked.message))
    return reject('badMessageCheck', 'The transaction was started with a different key.');
  if (enrollment.isAbandoned)
    return reject('badRequest', 'The server stopped before it requested the certificate; send the request again.');
  return outcomeOf(parts, asked, enrollment);
}

async function outcomeOf(parts: ProcessParts, { profile }: ReceivedMessage, enrollment: Enrollment): Promise<Outcome> {
  const { state, certificate, problem, certificateUuid } = enrollment;
  if (state === 'refused') return reject('badRequest', problem ?? 'The request was rejected.');
  if (state === 'revoked') return reject('badCertId', 'The certificate of the transaction is revoked.');
  if (!certificate) return { status: 'pending' };
  if (profile.sends === 'leaf') return { status: 'success', certificates: [certificate] };
  const issuers = await parts.chains.issuersOf(certificateUuid);
  const sent = profile.sends === 'issuer' ? issuers.slice(0, 1) : issuers;
  return { status: 'success', certificates: [certificate, ...sent] };
}

/** Returns one of the RA profile's certificates, by issuer and serial number. */
async function getCertificate({ certificates }: ProcessParts, { profile, content }: ReceivedMessage): Promise<Outcome> {
  const wanted = readContent(readIssuerAndSerial, content);
  const found = await certificates.findBySerialNumber(wanted.serialNumber);
  const match = found.find(
    ({ ra_profile_uuid: uuid, der }) =>
      uuid !== null && uuid === profile.raProfile?.uuid && equalNames(parseCertificate(der).issuer, wanted.issuer),
  );
  return match
    ? { status: 'success', certificates: [match.der] }
    : reject('badCertId', 'Certificate not found under this RA profile.');
}

/** Returns the CRL of the profile's authority, for a certificate that the authority issued (RFC 8894 §3.3.4). */
async function getCrl({ revocation }: ProcessParts, { profile, content }: ReceivedMessage): Promise<Outcome> {
  const { issuer } = readContent(readIssuerAndSerial, content);
  const authorityUuid = profile.raProfile?.authorityUuid;
  const crl = authorityUuid === undefined ? undefined : await revocation.findCrl(authorityUuid);
  if (!crl) return reject('badCertId', 'The authority of this profile does not publish a CRL.');
  if (!equalNames(parseCrl(crl).issuer, issuer))
    return reject('badCertId', 'The certificate was not issued by the authority of this profile.');
  return { status: 'success', certificates: [], crls: [crl] };
}

function readIssuerAndSerial(content: Uint8Array) {
  const { issuer, serialBytes } = readIssuerAndSerialNumber(content);
  return { issuer: parseName(issuer), serialNumber: formatSerialNumber(serialBytes) };
}

/**
 * Returns the transaction of a message. Clients derive the identifier from the key. If a device keeps its key on
 * renewal, the identifier is the same as in its first request, so a message signed with an issued certificate and a
 * message signed with the device's own certificate are treated as separate transactions.
 */
function transactionOf({ profile, message }: ReceivedMessage) {
  const { certificate, transactionId } = message;
  const ofSigner = `${transactionId}/${certificate.serialNumber}`;
  const whole = ofSigner.length > MAX_IDENTIFIER ? sha256(Buffer.from(ofSigner)) : ofSigner;
  const identifier = certificate.isSelfIssued ? transactionId : whole;
  return { protocol: 'scep', profileUuid: profile.uuid, transactionId: identifier } as const;
}

const keyOf = ({ certificate }: ScepMessage): string => sha256(certificate.publicKey.spki);
