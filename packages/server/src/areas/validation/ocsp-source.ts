// Certificate status by OCSP (RFC 6960), from the responders that the certificate names. A response is rejected if it
// is not signed by the issuer or its authorized responder, concerns a different certificate, or is out of date.
import { LRUCache } from 'lru-cache';
import {
  buildCertId,
  buildOcspRequest,
  isPkiError,
  issuerHashes,
  parseOcspResponse,
  verifyOcspResponse,
  type Certificate,
  type OcspRejection,
  type OcspVerdict,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../kernel/clock.ts';
import type { CheckOutcome, RevocationCheck } from './verdict.ts';
import { namedUrls } from './named-urls.ts';
import { FAILURE_MS, ExternalFetchError, type FetchExternal } from './fetch-external.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RESPONDERS = 4;
const MAX_KEPT = 50_000;
const NONCE_OCTETS = 16;
const LONGEST_MS = 24 * 3_600_000;
/** A response without nextUpdate indicates that newer information is always available. */
const SHORTEST_MS = 60_000;

export interface OcspSource {
  /**
   * Returns the status from the cache or the responders. A cached response older than `maxAgeMs` is requested again.
   */
  statusOf(subject: {
    readonly certificate: Certificate;
    readonly issuer: Certificate;
    readonly maxAgeMs?: number | undefined;
  }): Promise<RevocationCheck>;
}

interface CachedResponse {
  readonly outcome: RevocationCheck;
  readonly askedAtMs: number;
  readonly untilMs: number;
}

export function createOcspSource({
  clock,
  fetchOutside,
}: {
  readonly clock: Clock;
  readonly fetchOutside: FetchExternal;
}): OcspSource {
  const kept = new LRUCache<string, CachedResponse>({ max: MAX_KEPT });

  async function ask(url: string, subject: Parameters<OcspSource['statusOf']>[0]): Promise<CachedResponse> {
    const nowMs = clock.now().getTime();
    const failedResponse = (message: string): CachedResponse => ({
      outcome: { status: 'failed', message: `${url} ${message}` },
      askedAtMs: nowMs,
      untilMs: nowMs + FAILURE_MS,
    });
    const nonce = nodeCrypto.randomBytes(NONCE_OCTETS);
    const { certificate, issuer } = subject;
    const hashes = issuerHashes(issuer, { digestName: 'sha1', digest: nodeCrypto.digest });
    const octets = buildOcspRequest({ certIds: [buildCertId(hashes, certificate.serialBytes)], nonce });
    try {
      const body = { type: 'application/ocsp-request', octets };
      const answer = await fetchOutside(url, {
        maxBytes: MAX_RESPONSE_BYTES,
        accept: 'application/ocsp-response',
        body,
      });
      const response = parseOcspResponse(answer);
      if (response.status !== 'successful') return failedResponse(`responded with status ${response.status}.`);
      const { verify, digest } = nodeCrypto;
      const verdict = verifyOcspResponse(response.basic, { certificate, issuer, verify, digest, nowMs, nonce });
      return verdict.trusted
        ? responseFor(url, verdict, nowMs)
        : failedResponse(`returned an untrusted response: ${REFUSALS[verdict.refusal]}.`);
    } catch (error) {
      if (error instanceof ExternalFetchError) return failedResponse(`${error.message}.`);
      if (isPkiError(error))
        return failedResponse(`did not return an OCSP response: ${error.message.replace(/\.$/, '')}.`);
      throw error;
    }
  }

  return {
    async statusOf(subject) {
      const { certificate, issuer, maxAgeMs = Number.POSITIVE_INFINITY } = subject;
      const urls = namedUrls(certificate).responders.slice(0, MAX_RESPONDERS);
      if (urls.length === 0) return { status: 'not_checked', message: 'The certificate names no OCSP responder.' };
      const key = `${nodeCrypto.sha256(issuer.spki).toHex()} ${certificate.serialNumber}`;
      const known = kept.get(key);
      const nowMs = clock.now().getTime();
      if (known && known.untilMs > nowMs && nowMs - known.askedAtMs <= maxAgeMs) return known.outcome;
      let answer: CachedResponse | undefined;
      // One response is sufficient; the search ends at the first `revoked`.
      for (const url of urls) {
        const next = await ask(url, subject);
        if (!answer || RANK[next.outcome.status] > RANK[answer.outcome.status]) answer = next;
        if (next.outcome.status === 'revoked') break;
      }
      if (!answer) throw new Error('Every responder must have an outcome.');
      kept.set(key, answer);
      return answer.outcome;
    },
  };
}

/** Precedence of statuses if responders disagree. */
const RANK: Readonly<Record<CheckOutcome['status'], number>> = {
  not_checked: 0, failed: 1, inactive: 0, invalid: 0, expiring: 0, expired: 0, valid: 2, revoked: 3,
}; // prettier-ignore

const REFUSALS: Readonly<Record<OcspRejection, string>> = {
  'not-about-this-certificate': 'it is about a different certificate',
  'responder-unknown': 'it does not contain the certificate of its signer',
  'responder-not-authorized': 'its signer is not authorized by the issuer',
  'signature-invalid': 'its signature is not valid',
  'not-yet-valid': 'its thisUpdate is in the future',
  expired: 'it is out of date',
  'nonce-differs': 'it belongs to a different request',
};

function responseFor(url: string, verdict: Extract<OcspVerdict, { trusted: true }>, nowMs: number): CachedResponse {
  const { certStatus, thisUpdateMs: statedAtMs, nextUpdateMs } = verdict;
  const untilMs = Math.max(nowMs + SHORTEST_MS, Math.min(nextUpdateMs ?? 0, nowMs + LONGEST_MS));
  const statement = { source: `OCSP ${url}`, statedAtMs, nextUpdateMs };
  const toResponse = (outcome: RevocationCheck): CachedResponse => ({ outcome, askedAtMs: nowMs, untilMs });
  switch (certStatus.status) {
    case 'good':
      return toResponse({ status: 'valid', message: `${url} reports no revocation.`, statement });
    case 'unknown':
      return toResponse({ status: 'not_checked', message: `${url} does not know the certificate.` });
    case 'revoked': {
      const { revocationMs: atMs, reason = 'unspecified' } = certStatus;
      const message = `Revoked at ${new Date(atMs).toISOString()}, reason ${reason}, reported by ${url}.`;
      return toResponse({ status: 'revoked', message, statement: { ...statement, revoked: { atMs, reason } } });
    }
  }
}
