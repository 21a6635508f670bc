// Publishes revocation information: CRLs fetched from authorities, OCSP responses signed by delegated responders, and
// CA certificates for download. Owns: authority_issuer, published_crl, ocsp_responder, revocation_duty,
// awaited_revocation. Invariants: an acknowledged revocation is in the next OCSP response of every node and in the next
// CRL; CRL numbers of a CA strictly increase; a responder key is stored sealed and never leaves this process.
//
// publication-times.ts                         validity of OCSP responses, cache times, CRL renewal time, retry delay
// ocsp/respond.ts                              responds to OCSP requests; sets the nonce (encoded in packages/pki)
// ocsp/read-request.ts, response-cache.ts      parses requests; caches signed responses
// ocsp/renew-responder.ts                      issues, checks and renews the certificate; key: responder-request.ts
// ocsp/responders.ts                           responder keys of a node
// crl/serve-crl.ts, published-crls.ts          CRL downloads: full, delta or partition
// crl/refresh-crl.ts, check-crl.ts             fetches a CRL from its authority, checks and publishes it
// crl/awaited-crls.ts, awaited-shards.ts       ensures that a revocation is in the next CRL, and in its partition
// routes.ts, caching.ts                        downloads of CRLs, OCSP responses and CA certificates, with HTTP caching
// jobs.ts, tasks.ts                           background renewal of CRLs and responders, on one node at a time
// issuers.ts, issuer-index.ts                  CAs of an authority by name and key, as OCSP requests identify them
// store.ts, store-awaited.ts, store-tasks.ts  queries for CRLs and responders, awaited revocations, leases
// parts.ts, ports.ts, revocation-metrics.ts    assembly of the area, its dependencies and its metrics
import { responderColumn } from './ocsp/responders.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { createParts } from './parts.ts';
import type { RevocationPorts } from './ports.ts';
import { registerDownloads } from './routes.ts';
import { releaseLeasesOf } from './store-tasks.ts';

export type { RevocationPorts } from './ports.ts';

/** How long an explicit request waits if another node is doing the same work. */
const WAIT_FOR_OTHER_NODE_MS = 30_000;

export interface Revocation {
  /** Returns the authority's published full CRL in DER; undefined if there is none. */
  findCrl(authorityUuid: string): Promise<Uint8Array | undefined>;
  /** Fetches, checks and publishes the authority's CRL immediately. */
  refreshCrl(authorityUuid: string): Promise<void>;
  /**
   * Creates an OCSP responder for the authority if it has none, so that the first request does not have to wait for it.
   */
  ensureResponder(authorityUuid: string): Promise<void>;
}

export function createRevocationArea(
  platform: Platform,
  ports: RevocationPorts,
): Area & { readonly revocation: Revocation } {
  const parts = createParts(platform, ports);
  parts.jobs.declare();
  const turn = { evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS };

  return {
    http: (server) => registerDownloads(server, parts),
    sealedColumns: () => [responderColumn],
    start: async () => {
      await releaseLeasesOf(platform.database.executor, platform.nodeId);
      parts.jobs.start();
    },
    stop: parts.jobs.stop,
    revocation: {
      findCrl: async (authorityUuid) => {
        try {
          return (await parts.serveCrl({ authorityUuid, kind: 'full' })).der;
        } catch (error) {
          if (isAppError(error) && error.code === 'object_not_found') return undefined;
          throw error;
        }
      },
      refreshCrl: async (authorityUuid) => {
        await parts.refresh({ authorityUuid, kind: 'full', isNeeded: () => true, ...turn });
      },
      ensureResponder: async (authorityUuid) => {
        await parts.renewResponder(authorityUuid, turn);
      },
    },
  };
}
