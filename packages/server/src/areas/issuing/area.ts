// Creates the area and registers it with areas in lower tiers.
import { writePem } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { readRequest, type CertificatesArea } from '../certificates/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { countWaiting } from './approving/store.ts';
import type { IssueResponse } from './issuance/issue.ts';
import { createIssuing, type Issuing, type IssuingParts } from './issuing.ts';
import { legacyClientRoutes } from './legacy-client-routes.ts';
import { endEntityPasswordColumn } from './operations/end-entity-password.ts';
import { createProtocolCertificates, type ProtocolCertificates } from './protocol-certificates.ts';
import { declareKeyDestruction } from './revoking/destroy-key.ts';
import { clientRoutes, holdRoutes, settlementRoutes } from './routes.ts';

export interface IssuingAreaParts extends Omit<IssuingParts, 'issuers' | 'names' | 'compliance' | 'locations'> {
  readonly certificates: CertificatesArea;
}

export interface PlatformRequest {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  /** PKCS#10 in DER. */
  readonly request: Uint8Array;
}

export interface IssuingArea extends Area, Pick<Issuing, 'issuance' | 'renewer' | 'requests' | 'settleByAppearance'> {
  /** Certificate operations for protocol servers. */
  readonly protocols: ProtocolCertificates;
  /**
   * Issues a certificate for the platform itself, such as its HTTPS certificate, through the same path as all others.
   */
  issueForPlatform(input: PlatformRequest, context: RequestContext): Promise<IssueResponse>;
}

export function createIssuingArea(platform: Platform, given: IssuingAreaParts): IssuingArea {
  const { certificates, ...areas } = given;
  const { assertVisible, names } = certificates;
  const parts = { ...areas, ...certificates };
  const issuing = createIssuing(platform, parts);
  const { issuance, renewer, revoker, requests, settleByAppearance } = issuing;
  declareKeyDestruction(platform, areas.keys);
  protectWaiting(areas.raProfiles);
  return {
    routes: [
      ...clientRoutes({ ...issuing, assertVisible }),
      ...holdRoutes({ revoker, assertVisible }),
      ...settlementRoutes({ ...issuing, assertVisible }),
      ...legacyClientRoutes({ ...parts, platform, issuance, revoker }),
    ],
    start: issuing.start,
    stop: issuing.stop,
    sealedColumns: () => [endEntityPasswordColumn],
    issuance,
    renewer,
    requests,
    settleByAppearance,
    protocols: createProtocolCertificates({ platform, ...issuing, names }),
    issueForPlatform: async ({ request, ...profile }, context) => {
      const { codes } = await names();
      const read = readRequest(writePem('CERTIFICATE REQUEST', request), 'pkcs10', codes);
      return issuance.issue({ ...profile, alsoInternal: true, request: read, attributes: [] }, context);
    },
  };
}

/** Prevents removal of an RA profile while operations under it can still be approved. */
function protectWaiting(raProfiles: Pick<RaProfiles, 'registerDependants'>): void {
  raProfiles.registerDependants({
    reasonsToKeep: async (executor, raProfileUuid) => {
      const waiting = await countWaiting(executor, raProfileUuid);
      return waiting === 0
        ? []
        : [`certificate operations are waiting for approval (${waiting}); approve or reject them first`];
    },
  });
}
