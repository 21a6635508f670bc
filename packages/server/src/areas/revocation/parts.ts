// Assembles the parts of this area.
import type { Platform } from '../../platform/platform.ts';
import { createAwaitedCrls } from './crl/awaited-crls.ts';
import { createAwaitedShards } from './crl/awaited-shards.ts';
import { createPublishedCrls } from './crl/published-crls.ts';
import { createCrlRefresher } from './crl/refresh-crl.ts';
import { createCrlServer } from './crl/serve-crl.ts';
import { createIssuers } from './issuers.ts';
import { createJobs } from './jobs.ts';
import { createResponderRenewer } from './ocsp/renew-responder.ts';
import { createOcspResponder } from './ocsp/respond.ts';
import { createResponders } from './ocsp/responders.ts';
import type { RevocationPorts } from './ports.ts';
import { createRevocationMetrics } from './revocation-metrics.ts';

export function createParts(platform: Platform, ports: RevocationPorts) {
  const metrics = createRevocationMetrics(platform.metrics);
  const issuers = createIssuers(platform, ports);
  const published = createPublishedCrls(platform);
  const refresh = createCrlRefresher({ platform, ports, issuers, published, metrics });
  const serveCrl = createCrlServer({ platform, issuers, published, refresh });
  const responders = createResponders(platform);
  const renewResponder = createResponderRenewer({ platform, ports, issuers, responders });
  const respond = createOcspResponder({ platform, ports, issuers, responders, renewResponder, published, metrics });
  /**
   * Returns the authority's connector. If the authority has no connector or no longer exists, returns the authority
   * itself.
   */
  const laneOf = (authorityUuid: string): Promise<string> =>
    ports.authorities.find(authorityUuid).then(
      ({ connectorUuid }) => connectorUuid ?? authorityUuid,
      () => authorityUuid,
    );
  const shards = createAwaitedShards({ published, refresh });
  const awaited = createAwaitedCrls({ platform, ports, published, shards, refresh, laneOf });
  const jobs = createJobs({ platform, ports, responders, refresh, renewResponder, awaited, laneOf });
  return {
    clock: platform.clock,
    issuers,
    published,
    refresh,
    serveCrl,
    responders,
    renewResponder,
    respond,
    awaited,
    jobs,
  };
}
