// Serving of revocation: CRLs fetched from authorities and published, OCSP answered by delegated responders, CA
// certificates for download. Owns: authority_issuer, published_crl, ocsp_responder, revocation_duty,
// awaited_revocation.
// Invariants: an acknowledged revocation is in the next OCSP response of every node and in the next CRL; CRL numbers of
// a CA strictly increase; a responder key is stored sealed and never leaves this process.
import { responderColumn } from './ocsp/responders.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { createParts } from './parts.ts';
import type { RevocationPorts } from './ports.ts';
import { registerDownloads } from './routes.ts';
import { dropLeasesOf } from './store-duties.ts';

export type { RevocationPorts } from './ports.ts';

/** How long an explicit order waits for another node that is at the same work. */
const WAIT_FOR_OTHER_NODE_MS = 30_000;

export interface Revocation {
  /** The complete CRL of an authority, in DER, as it is published; undefined where it has none. */
  findCrl(authorityUuid: string): Promise<Uint8Array | undefined>;
  /** Fetches, checks and publishes the CRL of an authority now. */
  refreshCrl(authorityUuid: string): Promise<void>;
  /** Makes the OCSP responder of an authority when it has none, so that the first request does not wait for it. */
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
      await dropLeasesOf(platform.database.executor, platform.nodeId);
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
