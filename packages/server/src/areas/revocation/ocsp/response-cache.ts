// Signed responses that are still valid, by CertID. The cache is bounded and evicts the least recently requested
// response first. Responses are signed only on demand, because the status of most certificates is never requested, and
// signing in advance would slow down every issuance.
import { LRUCache } from 'lru-cache';
import type { Responder } from './responders.ts';

/**
 * Entries take about 1 KiB each. Busy servers request the status of their own certificate, and an evicted response can
 * be signed again within a millisecond.
 */
const MAX_ENTRIES = 10_000;

export interface SignedResponse {
  readonly der: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
}

/** Properties that must match for a cached response to be used. */
export interface ResponseKey {
  /** Hex encoding of the CertID, which identifies digest, CA and serial number. */
  readonly certId: string;
  /** Status as text, with its time and reason. */
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
    /** Returns the cached response if it has the same content and was signed less than `reuseMs` ago. */
    find({ certId, status, responder }: ResponseKey, nowMs: number): SignedResponse | undefined {
      const entry = entries.peek(certId);
      if (!entry || entry.status !== status || entry.responderUuid !== responder.uuid) return undefined;
      const { response } = entry;
      // A response dated in the future was signed before the clock was set back.
      const ageMs = nowMs - response.thisUpdateMs;
      if (ageMs < -1_000 || ageMs >= reuseMs || response.nextUpdateMs <= nowMs) return undefined;
      entries.get(certId); // This marks the entry as recently used.
      return response;
    },

    keep({ certId, status, responder }: ResponseKey, response: SignedResponse): void {
      entries.set(certId, { status, responderUuid: responder.uuid, response });
    },
  };
}
