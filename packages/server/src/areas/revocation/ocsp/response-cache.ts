// Signed responses that are still good, by the CertID they answer. Bounded: the least recently requested goes first.
// Nothing is signed before the first request: most certificates are never asked about, and every issuance would pay.
import { LRUCache } from 'lru-cache';
import type { Responder } from './responders.ts';

/**
 * About 1 KiB each. A busy server asks for its own certificate; what falls out is signed again within a millisecond.
 */
const MAX_ENTRIES = 10_000;

export interface SignedResponse {
  readonly der: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
}

/** What a cached response must have in common with the one that is wanted. */
export interface ResponseKey {
  /** Hex of the CertID, which names digest, CA and serial number. */
  readonly certId: string;
  /** The status in words, with its time and reason. */
  readonly status: string;
  readonly responder: Responder;
}

export function createResponseCache(options: { readonly reuseMs: number; readonly maxEntries?: number }) {
  const { reuseMs, maxEntries = MAX_ENTRIES } = options;
  const entries = new LRUCache<
    string,
    { readonly status: string; readonly responderUuid: string; readonly response: SignedResponse }
  >({ max: maxEntries });

  return {
    /** The response signed before, when it says the same and was signed less than the time of reuse ago. */
    find({ certId, status, responder }: ResponseKey, nowMs: number): SignedResponse | undefined {
      const entry = entries.peek(certId);
      if (!entry || entry.status !== status || entry.responderUuid !== responder.uuid) return undefined;
      const { response } = entry;
      // A response from the future was signed before the clock was set back.
      const ageMs = nowMs - response.thisUpdateMs;
      if (ageMs < -1_000 || ageMs >= reuseMs || response.nextUpdateMs <= nowMs) return undefined;
      entries.get(certId); // counts as asked for
      return response;
    },

    keep({ certId, status, responder }: ResponseKey, response: SignedResponse): void {
      entries.set(certId, { status, responderUuid: responder.uuid, response });
    },
  };
}
