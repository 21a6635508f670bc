// Reads received certificate requests: decodes them, verifies proof of possession, and checks the key.
import {
  checkKeyPolicy,
  commonName,
  distinctGeneralNames,
  formatGeneralName,
  formatName,
  groupGeneralNames,
  hiddenCharacterOfGeneralName,
  hiddenCharacterOfName,
  isHybridRequest,
  normalizeName,
  parseCertificationRequest,
  parseCrmfRequest,
  PkiError,
  requestSignatureProblem,
  readCertificationRequest,
  requestedAlternativeKey,
  requestedAlternativeSignatureAlgorithmName,
  requestedAltNames,
  requestedNames,
  signatureAlgorithmName,
  verifyAlternativeRequestSignature,
  verifyCertificationRequest,
  type CertificationRequest,
  type CrmfRequest,
  type GeneralName,
  type NameCodes,
  type RequestedCertificate,
} from '@signetry/pki';
import { verifyOnce } from '@signetry/pki/node';
import { AppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { presentNames, publicKeyAlgorithmName, sha256Hex } from './read-certificate.ts';
import type { RequestRow } from './tables.ts';

/** Cause of a rejection if the requester has not proven possession of the private key. */
export class UnprovenRequestError extends Error {}

/** Facts about a request that has not been stored yet, in their stored form. */
export type RequestFacts = Omit<RequestRow, 'der' | 'created_at' | 'compliance_status'> & { readonly der: Uint8Array };

/**
 * Reads PKCS #10 (RFC 2986) from PEM, Base64-encoded DER or Base64-encoded PEM. Rejects requests that are malformed,
 * are not signed by their own key, are signed with a broken digest, or have a key that is too weak to certify under any
 * RA profile; the message refers to `request`. The subject is written with the codes.
 */
export function readRequest(text: string, format: 'pkcs10' | 'crmf', codes?: NameCodes): RequestFacts {
  if (format === 'crmf') throw new AppError('not_supported', { what: 'The request format crmf outside CMP' });
  const request = parse(text);
  rejectWeakKey(request);
  const badlySigned = requestSignatureProblem(request);
  if (badlySigned !== undefined) reject(badlySigned, new PkiError('unsupported-algorithm', badlySigned));
  rejectHiddenCharacters(request);
  if (!isProven(request))
    rejectUnproven('its signature cannot be verified with its own public key (proof of possession failed)');
  if (isHybridRequest(request)) rejectUnprovenAlternative(request);
  return {
    ...factsOf(request, codes),
    format,
    signature_algorithm: signatureAlgorithmName(request.signatureAlgorithm),
    ...alternativeAlgorithms(request),
  };
}

/**
 * Reads a CRMF request. The caller must have verified its proof of possession, or the request must have been vouched
 * for. Throws the same errors as `readRequest`.
 */
export function readCrmf(der: Uint8Array, codes?: NameCodes): RequestFacts {
  const request = parseCrmf(der);
  rejectWeakKey(request);
  rejectHiddenCharacters(request);
  const { proof } = request.message;
  return {
    ...factsOf(request, codes),
    format: 'crmf',
    signature_algorithm: proof?.kind === 'signature' ? signatureAlgorithmName(proof.algorithm) : '',
    alt_public_key_algorithm: null,
    alt_key_size: null,
    alt_signature_algorithm: null,
  };
}

function parseCrmf(der: Uint8Array): CrmfRequest {
  try {
    return parseCrmfRequest(der);
  } catch (error) {
    return reject((error as Error).message, error); // The parser throws only its own error type.
  }
}

/** Returns a stored request's content. Throws PKI errors. */
export const requestContentOf = ({ der, format }: Pick<RequestFacts, 'der' | 'format'>): RequestedCertificate =>
  format === 'crmf' ? parseCrmfRequest(der) : parseCertificationRequest(der);

/**
 * Returns the host names and IP addresses that a stored request contains, with their types and in lowercase: those of
 * its alternative names and of its common names (RFC 8555 §7.4). Throws PKI errors.
 */
export function hostNamesOf(stored: Pick<RequestFacts, 'der' | 'format'>): readonly string[] {
  const request = requestContentOf(stored);
  return requestedNames(request.subject, requestedAltNames(request)).flatMap((name) =>
    name.kind === 'dNSName' || name.kind === 'iPAddress'
      ? [`${name.kind} ${formatGeneralName(name).toLowerCase()}`]
      : [],
  );
}

/** Returns the facts common to both request formats. */
const factsOf = (request: RequestedCertificate, codes: NameCodes | undefined) => ({
  uuid: newUuid(),
  fingerprint: sha256Hex(request.der),
  der: request.der,
  common_name: commonName(request.subject) ?? '',
  subject_dn: formatName(request.subject, codes),
  subject_dn_normalized: normalizeName(request.subject),
  public_key_algorithm: publicKeyAlgorithmName(request.publicKey),
  public_key_fingerprint: sha256Hex(request.publicKey.spki),
  key_size: request.publicKey.bits,
  subject_alternative_names: alternativeNames(request),
});

function rejectWeakKey({ publicKey }: RequestedCertificate): void {
  const weak = checkKeyPolicy(publicKey);
  if (weak.length > 0) reject(weak.map(({ message }) => message.replace(/\.$/, '')).join('; '));
}

function parse(text: string): CertificationRequest {
  try {
    return readCertificationRequest(text);
  } catch (error) {
    // Some clients apply Base64 to text that is already PEM.
    const inner = /^[A-Za-z0-9+/=\s]+$/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : '';
    if (inner.includes('-----BEGIN')) return parse(inner);
    return reject((error as Error).message, error); // The parser throws only its own error type.
  }
}

/** Rejects names that would mislead users and log readers. Linting before signing also rejects such names. */
function rejectHiddenCharacters(request: RequestedCertificate): void {
  const inSubject = hiddenCharacterOfName(request.subject);
  const character = inSubject ?? altNamesOf(request).map(hiddenCharacterOfGeneralName).find(Boolean);
  if (character !== undefined)
    reject(
      `its ${inSubject === undefined ? 'alternative names contain' : 'subject contains'} the character ${character}; names must not contain control characters or characters that change the writing direction`,
    );
}

function rejectUnprovenAlternative(request: CertificationRequest): void {
  if (!isProven(request, verifyAlternativeRequestSignature))
    rejectUnproven(
      'its alternative signature cannot be verified with its alternative public key, or one of the two or the algorithm is missing (proof of possession failed)',
    );
}

function isProven(request: CertificationRequest, verifyRequest = verifyCertificationRequest): boolean {
  try {
    return verifyRequest(request, verifyOnce);
  } catch (error) {
    if (error instanceof PkiError) return reject(error.message, error);
    throw error;
  }
}

/** Returns each name once, in the form in which it would be issued. */
function alternativeNames(request: RequestedCertificate): Record<string, string[]> {
  return presentNames(groupGeneralNames(distinctGeneralNames(altNamesOf(request))));
}

/** Returns the alternative algorithms of a hybrid certificate request. */
function alternativeAlgorithms(
  request: CertificationRequest,
): Pick<RequestFacts, 'alt_public_key_algorithm' | 'alt_key_size' | 'alt_signature_algorithm'> {
  try {
    const key = requestedAlternativeKey(request);
    return {
      alt_public_key_algorithm: key ? publicKeyAlgorithmName(key) : null,
      alt_key_size: key?.bits ?? null,
      alt_signature_algorithm: requestedAlternativeSignatureAlgorithmName(request) ?? null,
    };
  } catch (error) {
    return reject((error as Error).message, error); // The parser throws only its own error type.
  }
}

function altNamesOf(request: RequestedCertificate): readonly GeneralName[] {
  try {
    return requestedAltNames(request);
  } catch (error) {
    return reject((error as Error).message, error); // The parser throws only its own error type.
  }
}

const rejectUnproven = (problem: string): never => reject(problem, new UnprovenRequestError(problem));

function reject(problem: string, cause?: unknown): never {
  throw new AppError(
    'invalid_fields',
    { problems: [`request: the certificate request was rejected: ${problem}`] },
    { cause },
  );
}
