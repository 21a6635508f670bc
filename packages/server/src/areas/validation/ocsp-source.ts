// The status of a certificate by OCSP (RFC 6960), asked of the responders that it names. What is not signed by the
// issuer or by a responder of its own, is about something else or out of date is not believed.
import { LRUCache } from 'lru-cache';
import {
  buildCertId,
  buildOcspRequest,
  isPkiError,
  issuerHashes,
  parseOcspResponse,
  verifyOcspResponse,
  type Certificate,
  type OcspRefusal,
  type OcspVerdict,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../kernel/clock.ts';
import type { CheckOutcome, RevocationCheck } from './verdict.ts';
import { namedAddresses } from './named-addresses.ts';
import { FAILURE_MS, OutsideFault, type FetchOutside } from './fetch-outside.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RESPONDERS = 4;
const MAX_KEPT = 50_000;
const NONCE_OCTETS = 16;
const LONGEST_MS = 24 * 3_600_000;
/** An answer without nextUpdate says that a newer one is always there. */
const SHORTEST_MS = 60_000;

export interface OcspSource {
  /** An answer that was received longer ago than `maxAgeMs` is asked for again. */
  statusOf(subject: {
    readonly certificate: Certificate;
    readonly issuer: Certificate;
    readonly maxAgeMs?: number | undefined;
  }): Promise<RevocationCheck>;
}

interface Answer {
  readonly outcome: RevocationCheck;
  readonly askedAtMs: number;
  readonly untilMs: number;
}

export function createOcspSource({
  clock,
  fetchOutside,
}: {
  readonly clock: Clock;
  readonly fetchOutside: FetchOutside;
}): OcspSource {
  const kept = new LRUCache<string, Answer>({ max: MAX_KEPT });

  async function ask(url: string, subject: Parameters<OcspSource['statusOf']>[0]): Promise<Answer> {
    const nowMs = clock.now().getTime();
    const failed = (message: string): Answer => ({
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
      if (response.status !== 'successful') return failed(`refused to answer (${response.status}).`);
      const { verify, digest } = nodeCrypto;
      const verdict = verifyOcspResponse(response.basic, { certificate, issuer, verify, digest, nowMs, nonce });
      return verdict.trusted ? answerOf(url, verdict, nowMs) : failed(`is not believed: ${REFUSALS[verdict.refusal]}.`);
    } catch (error) {
      if (error instanceof OutsideFault) return failed(`${error.message}.`);
      if (isPkiError(error))
        return failed(`answered with something that is no OCSP response: ${error.message.replace(/\.$/, '')}.`);
      throw error;
    }
  }

  return {
    async statusOf(subject) {
      const { certificate, issuer, maxAgeMs = Number.POSITIVE_INFINITY } = subject;
      const urls = namedAddresses(certificate).responders.slice(0, MAX_RESPONDERS);
      if (urls.length === 0) return { status: 'not_checked', message: 'The certificate names no OCSP responder.' };
      const key = `${nodeCrypto.sha256(issuer.spki).toHex()} ${certificate.serialNumber}`;
      const known = kept.get(key);
      const nowMs = clock.now().getTime();
      if (known && known.untilMs > nowMs && nowMs - known.askedAtMs <= maxAgeMs) return known.outcome;
      let answer: Answer | undefined;
      // One that answers is enough; the first that says revoked ends it.
      for (const url of urls) {
        const next = await ask(url, subject);
        if (!answer || RANK[next.outcome.status] > RANK[answer.outcome.status]) answer = next;
        if (next.outcome.status === 'revoked') break;
      }
      if (!answer) throw new Error('Every responder has an outcome.');
      kept.set(key, answer);
      return answer.outcome;
    },
  };
}

/** What counts more when responders differ. */
const RANK: Readonly<Record<CheckOutcome['status'], number>> = {
  not_checked: 0, failed: 1, inactive: 0, invalid: 0, expiring: 0, expired: 0, valid: 2, revoked: 3,
}; // prettier-ignore

const REFUSALS: Readonly<Record<OcspRefusal, string>> = {
  'not-about-this-certificate': 'its answer is about another certificate',
  'responder-unknown': 'its answer does not hold the certificate of who signed it',
  'responder-not-authorized': 'the issuer did not authorize who signed its answer',
  'signature-invalid': 'the signature of its answer does not verify',
  'not-yet-valid': 'its answer is from the future',
  expired: 'its answer is out of date',
  'nonce-differs': 'its answer is to another request',
};

function answerOf(url: string, verdict: Extract<OcspVerdict, { trusted: true }>, nowMs: number): Answer {
  const { certStatus, thisUpdateMs: statedAtMs, nextUpdateMs } = verdict;
  const untilMs = Math.max(nowMs + SHORTEST_MS, Math.min(nextUpdateMs ?? 0, nowMs + LONGEST_MS));
  const statement = { source: `OCSP ${url}`, statedAtMs, nextUpdateMs };
  const answered = (outcome: RevocationCheck): Answer => ({ outcome, askedAtMs: nowMs, untilMs });
  switch (certStatus.status) {
    case 'good':
      return answered({ status: 'valid', message: `${url} knows of no revocation.`, statement });
    case 'unknown':
      return answered({ status: 'not_checked', message: `${url} does not know the certificate.` });
    case 'revoked': {
      const { revocationMs: atMs, reason = 'unspecified' } = certStatus;
      const message = `Revoked at ${new Date(atMs).toISOString()}, reason ${reason}, says ${url}.`;
      return answered({ status: 'revoked', message, statement: { ...statement, revoked: { atMs, reason } } });
    }
  }
}
