// Determines the sender of a message from its protection (RFC 9810 §5.1.3), which every message must have.
import {
  buildPath,
  equalBytes,
  equalNames,
  isSignedBy,
  openMacProtection,
  parseCertificate,
  protectionCertificate,
  protectionKind,
  verifySignatureProtection,
  type Certificate,
  type PkiMessage,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { isForBaseStations, type ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { FindRevocation } from '../../../areas/validation/index.ts';
import type { Enrollments } from '../../../areas/enrollments/index.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Sender } from '../call.ts';
import { CmpRejection } from '../rejection.ts';
import type { MacDerivations } from './mac-derivations.ts';

export interface SenderParts {
  readonly clock: Clock;
  readonly enrollments: Pick<Enrollments, 'secrets' | 'checkCredential'>;
  readonly derivations: Pick<MacDerivations, 'from'>;
  readonly certificates: Pick<ProtocolCertificates, 'findByContent'>;
  readonly findRevocation: FindRevocation;
}

interface ReceivedMessage {
  readonly message: PkiMessage;
  readonly profile: ServedCmpProfile;
  readonly raProfileUuid: string;
  readonly transactionId: string;
  /** Source address of the message. */
  readonly address: string | null | undefined;
}

export async function senderOf(parts: SenderParts, judged: ReceivedMessage): Promise<Sender> {
  const { header, protection } = judged.message;
  if ((header.protectionAlgorithm === undefined) !== (protection === undefined))
    throw new CmpRejection('badMessageCheck', 'A message must contain both protection and protectionAlg.');
  const kind = protectionKind(judged.message);
  if (kind === 'none')
    throw new CmpRejection(
      'badMessageCheck',
      'The message is not protected; protect it with the secret or a signature.',
    );
  if (kind === 'signature') return signerOf(parts, judged);
  if (isNested(judged.message))
    throw new CmpRejection(
      'wrongIntegrity',
      'A nested message must be signed by the registration authority that forwards it.',
    );
  if (isForBaseStations(judged.profile) && judged.profile.requestProtectionMethod === 'signature')
    throw new CmpRejection(
      'wrongIntegrity',
      'Base stations must sign their messages (3GPP TS 33.310 §9); secrets are not accepted.',
    );
  // Every rejection counts as a guessed secret. A message that cannot be parsed causes a different error, which is not
  // counted.
  return parts.enrollments.checkCredential(
    {
      address: judged.address,
      profileUuid: judged.profile.uuid,
      isWrong: (error) => error instanceof CmpRejection,
    },
    () => macSenderOf(parts, judged),
  );
}

const isNested = ({ bodyType }: PkiMessage): boolean => bodyType === 'nested';

async function macSenderOf(parts: SenderParts, judged: ReceivedMessage): Promise<Sender> {
  const { message, profile } = judged;
  const { senderKid: reference } = message.header;
  if (profile.strictMessages) assertNamesSecret(judged);
  const oneTime = await oneTimeSecretOf(parts, judged);
  const secret = oneTime?.secret ?? (accepts(profile, 'sharedSecret') ? profile.sharedSecret : undefined);
  if (!secret)
    throw new CmpRejection(
      'wrongIntegrity',
      'The profile accepts signed requests, or requests with a usable one-time secret, identified by senderKID.',
    );
  const functions = parts.derivations.from(judged.address);
  const deriving = { functions, limits: { maxIterations: profile.maxMacIterations } };
  const mac = await openMacProtection(message, { secret: Buffer.from(secret.reveal()), ...deriving });
  if (!mac)
    throw new CmpRejection(
      'badMessageCheck',
      'The MAC of the message is incorrect: the secret is different, or the message was modified.',
    );
  return {
    kind: 'mac',
    secret,
    mac,
    deriving,
    reference,
    oneTime: oneTime && { uuid: oneTime.uuid, names: oneTime.names },
  };
}

const accepts = (
  { requestProtectionMethod, acceptBothProtections }: ServedCmpProfile,
  method: ServedCmpProfile['requestProtectionMethod'],
): boolean => acceptBothProtections || requestProtectionMethod === method;

/** RFC 9483 §3.1: senderKID identifies the secret, and the sender is a directory name. */
function assertNamesSecret({ message: { header }, profile }: ReceivedMessage): void {
  const remedy = `or turn off strictMessages in the CMP profile ${profile.name}`;
  if (header.sender.kind !== 'directoryName')
    throw new CmpRejection('badMessageCheck', `The sender must be a directory name; correct it, ${remedy}.`);
  if (!header.senderKid?.length)
    throw new CmpRejection(
      'badMessageCheck',
      `The senderKID must contain the reference value of the secret; add it, ${remedy}.`,
    );
}

/** Finds the one-time secret identified by senderKID. It remains valid for the transaction that it started. */
async function oneTimeSecretOf(
  { enrollments }: SenderParts,
  { message: { header, bodyType }, profile, raProfileUuid, transactionId }: ReceivedMessage,
) {
  if (!profile.oneTimeSecrets || header.senderKid === undefined) return undefined;
  const isLater = bodyType === 'certConf' || bodyType === 'pollReq' || bodyType === 'error';
  const transaction = isLater ? { profileUuid: profile.uuid, transactionId } : undefined;
  const reference = Buffer.from(header.senderKid).toString('latin1');
  return enrollments.secrets.findByReference({ protocol: 'cmp', raProfileUuid, reference, transaction });
}

async function signerOf(parts: SenderParts, { message, profile, raProfileUuid }: ReceivedMessage): Promise<Sender> {
  // The protection required for device messages does not apply to the registration authority that forwards them.
  if (!accepts(profile, 'signature') && !isNested(message))
    throw new CmpRejection(
      'wrongIntegrity',
      'The profile accepts only requests that are protected with its shared secret.',
    );
  const certificate = certificateOf(message, profile);
  if (!verifySignatureProtection(message, { spki: certificate.spki, verify: nodeCrypto.verify }))
    throw new CmpRejection('badMessageCheck', 'The signature of the message is incorrect.');
  const isRegistrationAuthority = profile.registrationAuthorities.some(({ der }) => equalBytes(der, certificate.der));
  if (isNested(message) && !isRegistrationAuthority)
    throw new CmpRejection(
      'notAuthorized',
      'Only a registration authority named in the profile can forward messages of others.',
    );
  const nowMs = parts.clock.now().getTime();
  if (certificate.notBeforeMs > nowMs || certificate.notAfterMs < nowMs)
    throw new CmpRejection(
      'signerNotTrusted',
      'The certificate that protects the message has expired or is not yet valid.',
    );
  const known = await parts.certificates.findByContent(certificate.der);
  if (known?.state === 'revoked')
    throw new CmpRejection('certRevoked', 'The certificate that protects the message is revoked.');
  const isOurs = known?.state === 'issued' && known.ra_profile_uuid === raProfileUuid;
  if (!isOurs) await assertExternalSigner(parts, { message, certificate, profile, isRegistrationAuthority, nowMs });
  return { kind: 'signature', certificate, isRegistrationAuthority };
}

/** Returns the certificate that the header and extraCerts name as the signer's (RFC 9483 §3.1, §3.3). */
function certificateOf(message: PkiMessage, { strictMessages, name }: ServedCmpProfile): Certificate {
  const certificate = protectionCertificate(message);
  if (!certificate)
    throw new CmpRejection(
      'badMessageCheck',
      'The certificate that protects the message must be the first in extraCerts, its subject must be the sender, and its key identifier the senderKID.',
    );
  if (!strictMessages) return certificate;
  const [first = new Uint8Array()] = message.extraCerts;
  const remedy = `or turn off strictMessages in the CMP profile ${name}`;
  if (!equalBytes(first, certificate.der))
    throw new CmpRejection(
      'badMessageCheck',
      `The certificate that protects the message must be the first in extraCerts; reorder them, ${remedy}.`,
    );
  if (certificate.subjectKeyIdentifier && !message.header.senderKid)
    throw new CmpRejection(
      'badMessageCheck',
      `The senderKID must be the key identifier of the certificate that protects the message; add it, ${remedy}.`,
    );
  return certificate;
}

interface Signer {
  readonly message: PkiMessage;
  readonly certificate: Certificate;
  readonly profile: ServedCmpProfile;
  readonly isRegistrationAuthority: boolean;
  readonly nowMs: number;
}

/**
 * Checks a certificate from a different authority: it must be trusted, and the revocation sources that it names must
 * show that it is not revoked.
 */
async function assertExternalSigner({ findRevocation }: SenderParts, signer: Signer): Promise<void> {
  const { certificate, isRegistrationAuthority } = signer;
  const issuers = issuersOf(signer);
  if (!issuers && !isRegistrationAuthority)
    throw new CmpRejection(
      'signerNotTrusted',
      'The certificate that protects the message was issued neither under this RA profile nor by a trusted authority.',
    );
  const revocation = await findRevocation({ certificate, issuers: issuers ?? [] });
  if (revocation.status === 'revoked')
    throw new CmpRejection('certRevoked', `A certificate that protects the message is revoked. ${revocation.message}`);
  if (revocation.status === 'undetermined')
    throw new CmpRejection(
      'signerNotTrusted',
      `Cannot determine whether a certificate that protects the message is revoked. ${revocation.message}`,
    );
}

/**
 * Returns the path to an authority that the profile trusts; for a registration authority, the path contains at least
 * its issuer.
 */
function issuersOf({ message, certificate, profile, isRegistrationAuthority, nowMs }: Signer) {
  const anchors = profile.trustedAuthorities.map((each) => ({ certificate: each, isAnchor: true }));
  const others = message.extraCerts.slice(1).map((der) => ({ certificate: parseCertificate(der), isAnchor: false }));
  const candidates = [...anchors, ...others];
  const path = buildPath(certificate, { candidates, nowMs, verify: nodeCrypto.verify });
  if (path.isValid) return path.issuers.map((each) => each.certificate);
  if (!isRegistrationAuthority) return undefined;
  return candidates
    .map((each) => each.certificate)
    .filter(
      ({ subject, spki }) =>
        equalNames(subject, certificate.issuer) &&
        isSignedBy(certificate, { issuerSpki: spki, verify: nodeCrypto.verify }),
    )
    .slice(0, 1);
}
