// Certificate requests (ir, cr, kur and p10cr), and the responses to them and to polling (RFC 9483 §4.1, §4.4).
import {
  controlValue,
  equalNames,
  formatSerialNumber,
  hasInfo,
  parseCertificate,
  verifyProofOfPossession,
  type CertReqMsg,
  type CertificationRequest,
  type PkiFailure,
  type PkiStatusInput,
  type ResponseType,
} from '@signetry/pki';
import { verifyOnce } from '@signetry/pki/node';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { CertificateChains } from '../../../areas/inventory/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import { isForBaseStations } from '../../../areas/cmp-profiles/index.ts';
import {
  describeExcessNames,
  namesOfCertificate,
  type BoundNames,
  type Enrollment,
  type Enrollments,
} from '../../../areas/enrollments/index.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { identityOfSender, nameOfSender, type CmpCall, type CmpReply } from '../call.ts';
import { CmpRejection, failureOfRequest, rejectionStatus, toRejection } from '../rejection.ts';
import { authoritiesOf, type AuthorityParts } from './authorities.ts';
import { createCentralKey, attachKey, type CentralKey, type CentralKeyParts } from './central-keys.ts';
import { modificationsOf } from './modifications.ts';

/** Time after which a client polls again for a pending certificate. */
export const CHECK_AFTER_S = 10;

export interface CertificateParts extends AuthorityParts {
  readonly enrollments: Pick<Enrollments, 'enroll'>;
  readonly certificates: ProtocolCertificates;
  readonly chains: Pick<CertificateChains, 'issuersOf' | 'chainOf'>;
}

export interface RequestParts extends CertificateParts, CentralKeyParts {
  readonly raProfiles: CertificateParts['raProfiles'] & CentralKeyParts['raProfiles'];
  readonly enrollments: Pick<Enrollments, 'enroll' | 'settle'>;
}

const ANSWERS = { ir: 'ip', cr: 'cp', kur: 'kup', p10cr: 'cp' } as const;

/** RFC 9810 §5.3.4: p10cr has no certReqId, in any version. */
const NO_REQUEST_ID = -1;

/** Bodies that request a certificate. */
type CertificateRequestBody =
  | { readonly type: 'ir' | 'cr' | 'kur'; readonly requests: readonly CertReqMsg[] }
  | { readonly type: 'p10cr'; readonly request: CertificationRequest };

/** Data stored with the transaction. */
export interface CmpDetail {
  readonly [name: string]: unknown;
  readonly answer: ResponseType;
  readonly certReqId: number;
  /** Nonce of the server's last message, in hex; the client's next message must repeat it. */
  readonly nonce: string;
  readonly implicit: boolean;
  /** Sender that started the transaction; others who have observed the transaction's identifiers cannot continue it. */
  readonly sender: string;
  /** Present if the request was rejected for a known cause. */
  readonly failure?: PkiFailure;
}

/** Returns the response to a certificate request; a rejected request receives its status in the response's body. */
export async function respondToRequest(
  parts: RequestParts,
  call: CmpCall,
  request: {
    readonly body: CertificateRequestBody;
    readonly record: (rejection: CmpRejection) => Promise<void>;
  },
): Promise<CmpReply> {
  const { body, record } = request;
  try {
    return await requestCertificate(parts, call, body);
  } catch (error) {
    const rejection = toRejection(error);
    // The transactionID is part of the header, and a message about it must not look like a response in the transaction.
    if (!rejection || rejection.failure === 'transactionIdInUse') throw error;
    await record(rejection);
    const responses = [{ certReqId: certReqIdOf(body), status: rejectionStatus(rejection) }];
    return { body: { type: ANSWERS[body.type], responses } };
  }
}

const certReqIdOf = (body: CertificateRequestBody): number =>
  body.type === 'p10cr' ? NO_REQUEST_ID : (body.requests[0]?.request.certReqId ?? 0);

export async function requestCertificate(
  parts: RequestParts,
  call: CmpCall,
  body: CertificateRequestBody,
): Promise<CmpReply> {
  const { profile, sender, message } = call;
  if (isForBaseStations(profile)) await assertChainKnown(parts, call);
  const asked = await readRequestedCertificate(parts, call, body);
  const { oneTime } = sender.kind === 'mac' ? sender : { oneTime: undefined };
  const bound = boundNamesOf(call);
  const beyond = bound && describeExcessNames(bound, asked.request);
  if (beyond !== undefined) throw new CmpRejection('notAuthorized', beyond);
  const implicit = profile.implicitConfirmation && hasInfo(message.header.generalInfo, 'implicitConfirm');
  const detail: CmpDetail = {
    answer: ANSWERS[body.type],
    certReqId: asked.certReqId,
    nonce: Buffer.from(call.nonce).toString('hex'),
    implicit,
    sender: identityOfSender(sender),
  };
  const { isNew, enrollment } = await parts.enrollments.enroll(
    {
      protocol: 'cmp',
      profile,
      transactionId: call.transactionId,
      kind: body.type,
      requester: nameOfSender(sender),
      request: asked.request,
      predecessorUuid: asked.predecessorUuid,
      requireManualApproval: profile.requireManualApproval,
      oneTimeSecretUuid: oneTime?.uuid,
      detail,
      detailOfRejection: (error) => ({ ...detail, failure: failureOfRequest(error) }),
    },
    call.context,
  );
  if (!isNew)
    throw new CmpRejection('transactionIdInUse', 'The transactionID is already in use; start a new transaction.');
  const reply = await responseFor(parts, enrollment, asked.request);
  return asked.centralKey ? attachKey(parts, asked.centralKey, { enrollment, reply }) : reply;
}

/**
 * Returns the names for which the sender can obtain a certificate; undefined if only the RA profile restricts them.
 * Registration authorities vouch for their requests.
 */
function boundNamesOf({ sender, profile, level }: CmpCall): BoundNames | undefined {
  if (sender.kind === 'mac') return sender.oneTime?.names;
  if (!profile.bindNames || sender.isRegistrationAuthority || level > 0) return undefined;
  return namesOfCertificate(sender.certificate);
}

/**
 * Rejects the request if the chain is unknown, because the response to a base station must contain it (3GPP TS 33.310
 * §9).
 */
async function assertChainKnown(parts: CertificateParts, call: CmpCall): Promise<void> {
  if ((await authoritiesOf(parts, call)).length > 0) return;
  throw new CmpRejection(
    'systemUnavail',
    `Base stations require the chain, but the CA certificate of the RA profile ${call.raProfile.name} is not known.`,
  );
}

interface RequestedCertificate {
  readonly request: RequestFacts;
  readonly certReqId: number;
  readonly predecessorUuid: string | undefined;
  readonly centralKey?: CentralKey | undefined;
}

async function readRequestedCertificate(
  parts: RequestParts,
  call: CmpCall,
  body: CertificateRequestBody,
): Promise<RequestedCertificate> {
  const { certificates } = parts;
  const certReqId = certReqIdOf(body);
  if (body.type === 'p10cr') {
    const request = await readingRequest(() => certificates.readRequest(body.request.der));
    return { request, certReqId, predecessorUuid: undefined };
  }
  const [message, ...others] = body.requests;
  if (!message || others.length > 0)
    throw new CmpRejection(
      'badRequest',
      'A message must request exactly one certificate; send the others in separate messages.',
    );
  if (certReqId !== 0 && call.profile.strictMessages)
    throw new CmpRejection('badRequest', `The certReqId must be 0 (RFC 9483 §4.1.1), but it is ${certReqId}.`);
  const isKeyless = message.request.template.publicKey === undefined;
  if (isKeyless && isForBaseStations(call.profile))
    throw new CmpRejection(
      'badCertTemplate',
      'The request has no public key; base stations must generate their own keys.',
    );
  if (!isKeyless) await assertProven(call, message);
  const predecessorUuid = body.type === 'kur' ? await predecessorOf(certificates, call, message) : undefined;
  const centralKey = isKeyless ? await createCentralKey(parts, call, message) : undefined;
  const request = await readingRequest(() => certificates.readCrmf(centralKey?.request ?? message.der));
  return { request, certReqId, predecessorUuid, centralKey };
}

/** Rejects a request that cannot be read or accepted, with the failure of its cause. */
async function readingRequest<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new CmpRejection(failureOfRequest(error), error.message, { cause: error });
  }
}

async function assertProven({ sender, level }: CmpCall, message: CertReqMsg): Promise<void> {
  const options =
    sender.kind === 'mac'
      ? { mac: { secret: Buffer.from(sender.secret.reveal()), ...sender.deriving } }
      : { senderNames: [sender.certificate.subject] };
  const verdict = await verifyProofOfPossession(message, { verify: verifyOnce, ...options });
  if (verdict.proven) return;
  const isVouched = level > 0 || (sender.kind === 'signature' && sender.isRegistrationAuthority);
  if (verdict.refusal === 'ra-verified' && isVouched) return;
  const words = {
    'ra-verified': 'Only a registration authority named in the profile can vouch for a key.',
    'needs-dialogue': 'Proof of possession must be a signature; certificates are not issued for keys that cannot sign.',
    missing: 'The request does not contain a proof of possession of its key.',
  } as const;
  throw new CmpRejection(
    'badPOP',
    verdict.refusal in words
      ? words[verdict.refusal as keyof typeof words]
      : `The proof of possession of the key is incorrect (${verdict.refusal}).`,
  );
}

/**
 * Returns the certificate to be updated: the one that signs the key update, which oldCertID must match if present (RFC
 * 9483 §4.1.3).
 */
async function predecessorOf(
  certificates: ProtocolCertificates,
  { sender, raProfile }: CmpCall,
  message: CertReqMsg,
): Promise<string> {
  if (sender.kind !== 'signature')
    throw new CmpRejection('wrongIntegrity', 'A key update must be signed with the certificate that it updates.');
  const old = controlValue(message.request.controls, 'oldCertID');
  const isOfSigner =
    !old ||
    (old.issuer.kind === 'directoryName' &&
      equalNames(old.issuer.name, sender.certificate.issuer) &&
      formatSerialNumber(old.serialBytes) === sender.certificate.serialNumber);
  if (!isOfSigner)
    throw new CmpRejection('badCertId', 'A key update must be signed with the certificate that it updates.');
  const found = await certificates.findByContent(sender.certificate.der);
  if (found?.ra_profile_uuid === raProfile.uuid) return found.uuid;
  throw new CmpRejection('badCertId', 'The certificate to be updated was not issued under this RA profile.');
}

/** Returns the response to a request, or to a poll for it. `known` is the request, if the caller has it. */
export async function responseFor(
  { chains, certificates }: CertificateParts,
  enrollment: Enrollment,
  known?: RequestFacts,
): Promise<CmpReply> {
  const { answer: type, certReqId, implicit, failure } = enrollment.detail as CmpDetail; // From `requestCertificate`.
  const { certificate, state, problem, certificateUuid } = enrollment;
  if (state === 'refused') {
    const refusal = new CmpRejection(failure ?? 'badRequest', problem ?? 'The request was rejected.');
    return { body: { type, responses: [{ certReqId, status: rejectionStatus(refusal) }] } };
  }
  if (!certificate) {
    const texts = ['The certificate has not been issued yet; poll for it.'];
    return { body: { type, responses: [{ certReqId, status: { status: 'waiting', texts } }] } };
  }
  const issuers = await chains.issuersOf(certificateUuid);
  const roots = issuers.slice(-1).filter((der) => isSelfIssued(der));
  const request = known ?? (await certificates.requestOf(certificateUuid));
  return {
    body: {
      type,
      caPubs: type === 'ip' ? roots : [],
      responses: [{ certReqId, status: issuedStatus(request && modificationsOf(request, certificate)), certificate }],
    },
    extraCerts: issuers,
    implicitConfirm: implicit,
  };
}

/** RFC 9810 §5.2.3: a certificate that differs from its request is granted with modifications. */
const issuedStatus = (changes: readonly string[] = []): PkiStatusInput =>
  changes.length === 0 ? { status: 'accepted' } : { status: 'grantedWithMods', texts: changes };

function isSelfIssued(der: Uint8Array): boolean {
  const { subject, issuer } = parseCertificate(der);
  return equalNames(subject, issuer);
}
