// Decides whether to accept an OCSP response (RFC 6960 §3.2, §4.2.2.2), by its signer, certificate and times.
import { certIdMatchesIssuer, issuerHashes } from './cert-id.ts';
import { equalBytes } from '../bytes.ts';
import { equalNames } from '../names.ts';
import { isSignedBy } from '../x509/signed.ts';
import { keyIdentifier } from '../x509/extension-parts.ts';
import { OID } from '../oids.ts';
import { parsePublicKey } from '../keys.ts';
import type { BasicOcspResponse, CertStatus, SingleResponse } from './response.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest, VerifySignature } from '../crypto.ts';

/** Allowed clock skew: how far thisUpdate can be in the future, or nextUpdate in the past. */
const DEFAULT_CLOCK_SKEW_MS = 5 * 60_000;
/**
 * A response without nextUpdate means that newer information is always available (RFC 6960 §4.2.2.1), so an old
 * response comes from a cache or a replay.
 */
const DEFAULT_MAX_AGE_MS = 24 * 3_600_000;

export interface OcspVerification {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly verify: VerifySignature;
  readonly digest: Digest;
  readonly nowMs: number;
  readonly clockSkewMs?: number;
  /** Maximum age of a response without nextUpdate, in milliseconds. Default: one day. */
  readonly maxAgeMs?: number;
  /**
   * The nonce in the request. A response with a different nonce is rejected; a response without a nonce is accepted
   * (RFC 9654 §2.1).
   */
  readonly nonce?: Uint8Array;
}

export type OcspRejection =
  | 'not-about-this-certificate'
  | 'responder-unknown'
  | 'responder-not-authorized'
  | 'signature-invalid'
  | 'not-yet-valid'
  | 'expired'
  | 'nonce-differs';

export type OcspVerdict =
  | {
      readonly trusted: true;
      readonly certStatus: CertStatus;
      readonly thisUpdateMs: number;
      readonly nextUpdateMs: number | undefined;
      /** The signer's certificate: the issuer, or a responder that it authorized. */
      readonly responder: Certificate;
    }
  | { readonly trusted: false; readonly refusal: OcspRejection };

/**
 * Returns a certificate's status according to the response, or the reason for rejecting the response. Throws only
 * `DerError`.
 */
export function verifyOcspResponse(response: BasicOcspResponse, options: OcspVerification): OcspVerdict {
  const { nowMs, clockSkewMs = DEFAULT_CLOCK_SKEW_MS, maxAgeMs = DEFAULT_MAX_AGE_MS } = options;
  const reject = (refusal: OcspRejection): OcspVerdict => ({ trusted: false, refusal });
  const single = response.responses.find((candidate) => matchesCertificate(candidate, options));
  if (single === undefined) return reject('not-about-this-certificate');
  const responder = findResponder(response, options);
  if (responder === undefined) return reject('responder-unknown');
  if (!isAuthorized(responder, options)) return reject('responder-not-authorized');
  if (!isSignedBy(response, { issuerSpki: responder.spki, verify: options.verify })) return reject('signature-invalid');
  if (single.thisUpdateMs > nowMs + clockSkewMs) return reject('not-yet-valid');
  if ((single.nextUpdateMs ?? single.thisUpdateMs + maxAgeMs) < nowMs - clockSkewMs) return reject('expired');
  const { nonce } = response;
  if (options.nonce !== undefined && nonce !== undefined && !equalBytes(options.nonce, nonce))
    return reject('nonce-differs');
  const { certStatus, thisUpdateMs, nextUpdateMs } = single;
  return { trusted: true, certStatus, thisUpdateMs, nextUpdateMs, responder };
}

function matchesCertificate(single: SingleResponse, { certificate, issuer, digest }: OcspVerification): boolean {
  const { certId } = single;
  if (certId.digestName === undefined || !equalBytes(certId.serialBytes, certificate.serialBytes)) return false;
  return certIdMatchesIssuer(certId, issuerHashes(issuer, { digestName: certId.digestName, digest }));
}

function findResponder(response: BasicOcspResponse, { issuer, digest }: OcspVerification): Certificate | undefined {
  const { responderId } = response;
  return [issuer, ...response.certificates].find((candidate) =>
    'name' in responderId
      ? equalNames(candidate.subject, responderId.name)
      : equalBytes(keyIdentifier(parsePublicKey(candidate.spki), digest), responderId.keyHash),
  );
}

/**
 * Returns whether the signer is authorized (RFC 6960 §4.2.2.2): it must be the issuer itself, or have a certificate for
 * OCSP signing that this issuer signed directly. The responder's revocation status is not checked: id-pkix-ocsp-nocheck
 * and short validity periods are common practice.
 */
function isAuthorized(responder: Certificate, { issuer, verify, nowMs, clockSkewMs }: OcspVerification): boolean {
  if (equalBytes(responder.spki, issuer.spki) && equalBytes(responder.subjectDer, issuer.subjectDer)) return true;
  const skew = clockSkewMs ?? DEFAULT_CLOCK_SKEW_MS;
  const isCurrent = responder.notBeforeMs <= nowMs + skew && responder.notAfterMs >= nowMs - skew;
  const mayDigitallySign = responder.keyUsage?.includes('digitalSignature') ?? true;
  return (
    isCurrent &&
    mayDigitallySign &&
    (responder.extKeyUsage ?? []).includes(OID.ocspSigning) &&
    equalNames(responder.issuer, issuer.subject) &&
    isSignedBy(responder, { issuerSpki: issuer.spki, verify })
  );
}
