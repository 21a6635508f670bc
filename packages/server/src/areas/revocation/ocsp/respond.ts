// Responds to OCSP requests (RFC 6960, RFC 5019). The status is read from the database for every request, so that a
// revocation is visible immediately on every node. A response with the same content is reused if it was signed
// recently.
import {
  assembleOcspResponse,
  buildOcspError,
  buildOcspResponseData,
  defaultSignatureAlgorithm,
  issuerHashKey,
  mayReplaceReason,
  type CertId,
  type CertStatus,
  type OcspErrorStatus,
  type OcspRequest,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { findOutage } from '../../../platform/database/database-errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PublishedCrls } from '../crl/published-crls.ts';
import { OCSP_REUSE_MS, OCSP_UNKNOWN_VALIDITY_MS, OCSP_VALIDITY_MS } from '../publication-times.ts';
import type { AuthorityIssuers, Issuer, Issuers } from '../issuers.ts';
import type { InventoryStatus, RevocationPorts } from '../ports.ts';
import type { RevocationMetrics } from '../revocation-metrics.ts';
import { readOcspRequest } from './read-request.ts';
import type { EnsureOptions, ResponderRenewer } from './renew-responder.ts';
import { OCSP_DELEGATION_FEATURE } from './responder-profile.ts';
import { createResponseCache, type ResponseKey, type SignedResponse } from './response-cache.ts';
import type { Responder, Responders } from './responders.ts';

/**
 * The first request for an authority waits until its responder has been certified; later requests receive `tryLater`.
 */
const FIRST_RESPONDER: EnsureOptions = { evenIfPaused: false, waitMs: 5_000 };

/**
 * `freshness` is absent for responses that must not be cached: errors, responses for unknown certificates, and
 * responses with a nonce.
 */
export interface OcspDownload {
  readonly der: Uint8Array;
  readonly freshness: Pick<SignedResponse, 'thisUpdateMs' | 'nextUpdateMs'> | undefined;
}

export type OcspResponder = (authorityUuid: string, request: Uint8Array) => Promise<OcspDownload>;

export interface OcspOptions {
  readonly platform: Pick<Platform, 'clock' | 'log'>;
  readonly ports: Pick<RevocationPorts, 'certificates'>;
  readonly issuers: Issuers;
  readonly responders: Responders;
  readonly renewResponder: ResponderRenewer;
  readonly published: PublishedCrls;
  readonly metrics: RevocationMetrics;
}

/** A certificate whose status is requested. If it was not issued by the responder's CA, its status is unknown. */
interface StatusQuery {
  readonly certId: CertId;
  readonly status: CertStatus;
}

interface SigningFacts {
  readonly known: AuthorityIssuers;
  /** CA that certified the responder. */
  readonly speaker: Issuer;
  readonly responder: Responder;
  readonly nonce: Uint8Array | undefined;
}

export function createOcspResponder(options: OcspOptions): OcspResponder {
  const { platform, issuers, responders, renewResponder, metrics } = options;
  const { clock, log } = platform;
  const cache = createResponseCache({ reuseMs: OCSP_REUSE_MS });
  /** First responders that are currently being created, shared by concurrent requests. */
  const beingMade = new Map<string, Promise<void>>();

  async function respond(known: AuthorityIssuers, { certIds, nonce }: OcspRequest): Promise<OcspDownload> {
    const speaker = certIds.map((certId) => known.byHash.get(issuerHashKey(certId))).find(Boolean);
    // RFC 5019 §2.2.3: none of the certificates is ours, or the digest is not supported.
    if (!speaker) return errorResponse('unauthorized');
    const responder = await responderOf(known.authority.uuid, speaker);
    if (!responder) {
      // If a responder will never exist, retrying is pointless.
      const willHaveOne = speaker.isCurrent && known.authority.features.includes(OCSP_DELEGATION_FEATURE);
      return errorResponse(willHaveOne ? 'tryLater' : 'unauthorized');
    }
    const questions = await lookUp(options, certIds, { speaker, known });
    const facts = { known, speaker, responder, nonce };
    const [only, ...others] = questions;
    if (!only || others.length > 0 || nonce || only.status.status === 'unknown')
      return { der: (await sign(options, questions, facts)).der, freshness: undefined };
    const key = await cacheKey(options, only, facts);
    const before = cache.find(key, clock.now().getTime());
    if (before) metrics.ocspResponses.inc({ status: only.status.status, source: 'cached' });
    const response = before ?? (await sign(options, questions, facts));
    if (!before) cache.keep(key, response);
    return { der: response.der, freshness: response };
  }

  async function responderOf(authorityUuid: string, issuer: Issuer): Promise<Responder | undefined> {
    const responder = await responders.find(authorityUuid, issuer.key);
    // A former CA key no longer certifies responders.
    if (responder || !issuer.isCurrent) return responder;
    const running =
      beingMade.get(authorityUuid) ??
      renewResponder(authorityUuid, FIRST_RESPONDER).then(
        () => undefined,
        () => undefined, // The error has already been logged, and the response asks the client to try later.
      );
    beingMade.set(authorityUuid, running);
    await running.finally(() => beingMade.delete(authorityUuid));
    // Another node may have created the responder in the meantime.
    responders.forget(authorityUuid);
    return responders.find(authorityUuid, issuer.key);
  }

  function errorResponse(status: OcspErrorStatus): OcspDownload {
    metrics.ocspResponses.inc({ status, source: 'signed' });
    return { der: buildOcspError(status), freshness: undefined };
  }

  return async (authorityUuid, der) => {
    const known = await issuers.of(authorityUuid);
    const read = readOcspRequest(der);
    if ('refusal' in read) return errorResponse(read.refusal);
    try {
      return await respond(known, read.request);
    } catch (error) {
      log.error({ error, authority: authorityUuid }, 'cannot respond to an OCSP request');
      return errorResponse(findOutage(error) ? 'tryLater' : 'internalError');
    }
  };
}

/**
 * After each new CRL, the response for a revoked certificate is signed again, because it contains the date and reason
 * from the CRL.
 */
async function cacheKey(
  options: OcspOptions,
  { certId, status }: StatusQuery,
  { known, responder }: SigningFacts,
): Promise<ResponseKey> {
  const { published } = options;
  const crl =
    status.status === 'revoked'
      ? await published.find({ authorityUuid: known.authority.uuid, kind: 'full' })
      : undefined;
  return { certId: certId.der.toHex(), status: `${statusText(status)} ${crl?.facts.sha256 ?? ''}`, responder };
}

/** Looks up all certificates in the request with a single query. */
async function lookUp(
  options: OcspOptions,
  certIds: readonly CertId[],
  { speaker, known }: Pick<SigningFacts, 'speaker' | 'known'>,
): Promise<readonly StatusQuery[]> {
  const { ports } = options;
  // A responder may respond only for certificates issued by the CA that certified it (RFC 6960 §4.2.2.2).
  const isOurs = (certId: CertId): boolean => known.byHash.get(issuerHashKey(certId)) === speaker;
  const serialNumbers = [...new Set(certIds.filter(isOurs).map(({ serialNumber }) => serialNumber))];
  const found = await ports.certificates.findStatuses(speaker, serialNumbers);
  return certIds.map((certId) => ({
    certId,
    status: isOurs(certId)
      ? statusOf(found.filter(({ serialNumber }) => serialNumber === certId.serialNumber))
      : { status: 'unknown' },
  }));
}

/**
 * Uses the CA's own date and reason if a CRL lists the certificate, so that both sources agree. A key compromise that
 * was reported after this CRL takes precedence.
 */
async function statusInCrl(
  options: OcspOptions,
  { certId, status }: StatusQuery,
  { known, speaker }: SigningFacts,
): Promise<CertStatus> {
  const { published } = options;
  if (status.status !== 'revoked') return status;
  const certificate = { issuerKey: speaker.key, serialBytes: certId.serialBytes };
  const entry = await published.entryOf(known.authority.uuid, certificate);
  if (!entry) return status;
  const reason = mayReplaceReason(entry.reason, status.reason) ? status.reason : entry.reason;
  return { status: 'revoked', revocationMs: entry.revocationMs, ...(reason ? { reason } : {}) };
}

async function sign(
  options: OcspOptions,
  questions: readonly StatusQuery[],
  facts: SigningFacts,
): Promise<SignedResponse> {
  const { clock } = options.platform;
  const { metrics } = options;
  const { responder, nonce } = facts;
  const statuses = await Promise.all(questions.map((question) => statusInCrl(options, question, facts)));
  const nowMs = clock.now().getTime();
  const responses = questions.map(({ certId, status }, position) => {
    const validityMs = status.status === 'unknown' ? OCSP_UNKNOWN_VALIDITY_MS : OCSP_VALIDITY_MS;
    return {
      certId: certId.der,
      certStatus: statuses[position] ?? status,
      thisUpdateMs: nowMs,
      nextUpdateMs: Math.min(nowMs + validityMs, responder.certificate.notAfterMs),
    };
  });
  const data = buildOcspResponseData({
    responderId: { keyHash: responder.keyHash },
    producedAtMs: nowMs,
    responses,
    ...(nonce ? { nonce } : {}),
  });
  const algorithm = defaultSignatureAlgorithm(responder.certificate.publicKey);
  // Signing with P-256 is faster than a round trip to another thread; a post-quantum signature is not.
  const isQuick = responder.privateKey.asymmetricKeyType === 'ec';
  const signature = isQuick
    ? nodeCrypto.sign(responder.privateKey, { algorithm, data })
    : await nodeCrypto.signAsync(responder.privateKey, { algorithm, data });
  const der = assembleOcspResponse(data, { algorithm, signature, certificates: [responder.certificate.der] });
  for (const { status } of questions) metrics.ocspResponses.inc({ status: status.status, source: 'signed' });
  return { der, thisUpdateMs: nowMs, nextUpdateMs: Math.min(...responses.map((single) => single.nextUpdateMs)) };
}

/**
 * A serial number should be unique within a CA. If multiple certificates share a serial number, a revoked certificate
 * takes precedence.
 */
function statusOf(found: readonly InventoryStatus[]): CertStatus {
  const [any] = found;
  if (!any) return { status: 'unknown' };
  const revoked = found.find(({ revokedAt }) => revokedAt !== null);
  if (!revoked?.revokedAt) return { status: 'good' };
  const reason = revoked.revocationReason;
  return { status: 'revoked', revocationMs: revoked.revokedAt.getTime(), ...(reason ? { reason } : {}) };
}

const statusText = (status: CertStatus): string =>
  status.status === 'revoked' ? `revoked ${status.revocationMs} ${status.reason ?? ''}` : status.status;
