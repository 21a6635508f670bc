// Encoding of EnvelopedData (RFC 5652 §6) and AuthEnvelopedData (RFC 5083): for RSA keys by key transport, for EC and
// X25519 keys by agreement with an ephemeral key, and for passwords.
import {
  bitStringPart,
  constructed,
  encodeDer,
  explicitPart,
  implicitPrimitive,
  integerPart,
  nullPart,
  octetStringPart,
  oidPart,
  sequence,
  setOf,
  type DerPart,
} from '../der/writer.ts';
import {
  aesWrapDer,
  agreementSchemeFor,
  deriveWrappingKey,
  isAgreementKey,
  keyTransportPart,
  wrapWithPassword,
} from './key-encryption.ts';
import {
  certificateIdentifierPart,
  issuerAndSerialOf,
  keyIdentifierOf,
  type CertificateIdentifier,
} from './certificate-identifier.ts';
import { encryptContent, newCbcCipher, newGcmCipher } from './content-encryption.ts';
import { kemRecipientPart } from './kem-recipient.ts';
import { OID } from '../oids.ts';
import { parseAlgorithm } from '../algorithms.ts';
import { parsePublicKey } from '../keys.ts';
import { PkiError } from '../errors.ts';
import type { CbcCipherName, CmsCrypto, GcmCipherName, KeyTransport } from './cms-crypto.ts';
import type { Certificate } from '../x509/certificate.ts';

/** PBKDF2 iterations with HMAC-SHA-256 for passwords, as for PKCS #8. */
const PASSWORD_ITERATIONS = 600_000;
const SALT_LENGTH = 16;
/** Supported by every RSA certificate key. */
const OAEP: KeyTransport = { kind: 'rsa-oaep', digest: 'sha256', label: new Uint8Array() };

export interface CertificateRecipient {
  readonly certificate: Certificate;
  /** For RSA keys. Default: RSAES-OAEP with SHA-256. Many SCEP clients only support PKCS #1 v1.5. */
  readonly transport?: KeyTransport;
  /** Default: issuer and serial number. */
  readonly identifiedBy?: CertificateIdentifier['kind'];
}

export interface NewPasswordRecipient {
  readonly password: string;
  /** PBKDF2 iterations. Default: 600,000. */
  readonly iterations?: number;
  /** Default: AES key wrap (RFC 9481 §4.3). `pwri-kek` is the RFC 3211 key wrap, which mail programs support. */
  readonly wrap?: 'aes-wrap' | 'pwri-kek';
}

export type NewRecipient = CertificateRecipient | NewPasswordRecipient;

export interface EnvelopeInput {
  readonly content: Uint8Array;
  /** Default: `OID.pkcs7Data`. */
  readonly contentType?: string;
  readonly recipients: readonly NewRecipient[];
}

/**
 * Returns an EnvelopedData in DER, encrypted with AES-256-CBC unless `cipher` is set. Throws `PkiError`: `bad-argument`
 * if there is no recipient, `unsupported-algorithm` for a certificate whose key does not support encryption.
 */
export async function sealEnvelope(
  input: EnvelopeInput & { readonly cipher?: CbcCipherName },
  crypto: CmsCrypto,
): Promise<Uint8Array> {
  const { content, contentType = OID.pkcs7Data, recipients, cipher: name = 'aes-256-cbc' } = input;
  const cipher = newCbcCipher(name, crypto);
  const key = crypto.randomBytes(cipher.keyLength);
  const infos = await recipientInfos(recipients, { key, crypto });
  const data = encryptContent(cipher, { key, content }, crypto);
  key.fill(0);
  return encodeDer(
    sequence([
      integerPart(envelopeVersion(recipients)),
      setOf(infos),
      sequence([oidPart(contentType), cipher.der, implicitPrimitive(0, data)]),
    ]),
  );
}

/**
 * Returns an AuthEnvelopedData in DER, encrypted with AES-256-GCM by default. Throws the same errors as `sealEnvelope`.
 */
export async function sealAuthenticatedEnvelope(
  input: EnvelopeInput & { readonly cipher?: GcmCipherName },
  crypto: CmsCrypto,
): Promise<Uint8Array> {
  const { content, contentType = OID.pkcs7Data, recipients, cipher: name = 'aes-256-gcm' } = input;
  // RFC 5083 §2.1: any other content type must be authenticated through an attribute.
  if (contentType !== OID.pkcs7Data)
    throw new PkiError('bad-argument', `Content of type ${contentType} cannot be encrypted as AuthEnvelopedData.`);
  const cipher = newGcmCipher(name, crypto);
  const key = crypto.randomBytes(cipher.keyLength);
  const infos = await recipientInfos(recipients, { key, crypto });
  const associatedData = new Uint8Array();
  const { data, tag } = crypto.encryptGcm(name, { key, nonce: cipher.nonce, data: content, associatedData });
  key.fill(0);
  return encodeDer(
    sequence([
      integerPart(0),
      setOf(infos),
      sequence([oidPart(contentType), cipher.der, implicitPrimitive(0, data)]),
      octetStringPart(tag),
    ]),
  );
}

/** RFC 5652 §6.1. */
function envelopeVersion(recipients: readonly NewRecipient[]): number {
  const isVersionThree = (each: NewRecipient): boolean =>
    'password' in each || each.certificate.publicKey.family === 'ML-KEM';
  if (recipients.some(isVersionThree)) return 3;
  const isVersionZero = (each: NewRecipient): boolean =>
    'certificate' in each &&
    each.certificate.publicKey.family === 'RSA' &&
    each.identifiedBy !== 'subjectKeyIdentifier';
  return recipients.every(isVersionZero) ? 0 : 2;
}

interface ContentKey {
  readonly key: Uint8Array;
  readonly crypto: CmsCrypto;
}

async function recipientInfos(recipients: readonly NewRecipient[], contentKey: ContentKey): Promise<DerPart[]> {
  if (recipients.length === 0)
    throw new PkiError('bad-argument', 'Encrypted content must have at least one recipient.');
  const infos: DerPart[] = [];
  for (const each of recipients)
    infos.push('password' in each ? await passwordInfo(each, contentKey) : certificateInfo(each, contentKey));
  return infos;
}

function certificateInfo(recipient: CertificateRecipient, contentKey: ContentKey): DerPart {
  const { publicKey } = recipient.certificate;
  if (isAgreementKey(publicKey)) return keyAgreementInfo(recipient, contentKey);
  if (publicKey.family === 'RSA') return keyTransportInfo(recipient, contentKey);
  if (publicKey.family === 'ML-KEM') {
    const { spki, algorithm } = publicKey;
    const identifier = identifierOf(recipient, contentKey.crypto);
    return kemRecipientPart({ identifier, spki, kem: algorithm.oid }, contentKey);
  }
  throw new PkiError('unsupported-algorithm', `Cannot encrypt content with a key of type ${publicKey.name}.`);
}

function identifierOf({ certificate, identifiedBy }: CertificateRecipient, crypto: CmsCrypto): CertificateIdentifier {
  return identifiedBy === 'subjectKeyIdentifier'
    ? keyIdentifierOf(certificate, crypto.digest)
    : issuerAndSerialOf(certificate);
}

/** RFC 5652 §6.2.1. */
function keyTransportInfo(recipient: CertificateRecipient, { key, crypto }: ContentKey): DerPart {
  const { certificate, transport = OAEP } = recipient;
  const identifier = identifierOf(recipient, crypto);
  return sequence([
    integerPart(identifier.kind === 'subjectKeyIdentifier' ? 2 : 0),
    certificateIdentifierPart(identifier),
    keyTransportPart(transport),
    octetStringPart(crypto.transportKey(certificate.spki, { transport, key })),
  ]);
}

/**
 * Builds a KeyAgreeRecipientInfo (RFC 5652 §6.2.2, RFC 5753 §3.1.1). The wrapping key is as strong as the content key.
 */
function keyAgreementInfo(recipient: CertificateRecipient, { key, crypto }: ContentKey): DerPart {
  const { certificate } = recipient;
  const { oid, digest } = agreementSchemeFor(certificate.publicKey);
  const { ephemeralSpki, secret } = crypto.agreeOnSecret(certificate.spki);
  const ephemeral = parsePublicKey(ephemeralSpki);
  const wrapDer = aesWrapDer(key.length);
  const keyLength = key.length;
  const wrappingKey = deriveWrappingKey({ secret, digestName: digest, wrapDer, keyLength }, crypto.digest);
  const originator = constructed(0xa1, [
    sequence([oidPart(ephemeral.algorithm.oid)]),
    bitStringPart(ephemeral.keyBytes),
  ]);
  const identifier = certificateIdentifierPart(identifierOf(recipient, crypto), (octets) =>
    constructed(0xa0, [octetStringPart(octets)]),
  );
  const encryptedKey = octetStringPart(crypto.wrapKey(wrappingKey, key));
  return constructed(0xa1, [
    integerPart(3),
    explicitPart(0, originator),
    sequence([oidPart(oid), wrapDer]),
    sequence([sequence([identifier, encryptedKey])]),
  ]);
}

/** RFC 5652 §6.2.4. */
async function passwordInfo(recipient: NewPasswordRecipient, { key, crypto }: ContentKey): Promise<DerPart> {
  const { password, iterations = PASSWORD_ITERATIONS, wrap = 'aes-wrap' } = recipient;
  const salt = crypto.randomBytes(SALT_LENGTH);
  const prf = sequence([oidPart(OID.hmacWithSha256), nullPart()]);
  const parameters = [octetStringPart(salt), integerPart(iterations), prf];
  const derivationParts = [oidPart(OID.pbkdf2), sequence(parameters)];
  const derivation = parseAlgorithm(encodeDer(sequence(derivationParts)));
  const wrappingKey = await crypto.deriveKey(password, { derivation, keyLength: 32 });
  const cipher = newCbcCipher('aes-256-cbc', crypto);
  const isAesWrap = wrap === 'aes-wrap';
  const wrapped = isAesWrap ? crypto.wrapKey(wrappingKey, key) : wrapWithPassword(cipher, { wrappingKey, key }, crypto);
  return constructed(0xa3, [
    integerPart(0),
    constructed(0xa0, derivationParts),
    isAesWrap ? aesWrapDer(32) : sequence([oidPart(OID.pwriKek), cipher.der]),
    octetStringPart(wrapped),
  ]);
}
