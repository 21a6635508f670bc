// External sources for validation: CRLs, OCSP responders and issuers at the URLs in certificates.
import type { Platform } from '../../platform/platform.ts';
import type { Issuers } from '../certificates/index.ts';
import type { CertificateWork } from './certificate-work.ts';
import { createCrlSource } from './crl-source.ts';
import { createFetchExternal } from './fetch-external.ts';
import { createIssuerSource } from './issuer-source.ts';
import { createLookUpRevocation } from './look-up-revocation.ts';
import { createOcspSource } from './ocsp-source.ts';
import type { LookUpRevocation } from './revocation-check.ts';

export interface ExternalSourceParts {
  readonly platform: Platform;
  readonly issuers: Pick<Issuers, 'named' | 'crlIssuers'>;
  readonly work: Pick<CertificateWork, 'indexCrl' | 'readUpload'>;
  /** Replaces requests to the URLs in certificates. */
  readonly lookUpRevocation?: LookUpRevocation | undefined;
}

export function createExternalSources({ platform, issuers, work, lookUpRevocation }: ExternalSourceParts) {
  const { clock } = platform;
  const fetchOutside = createFetchExternal(platform);
  const crls = createCrlSource({ clock, fetchOutside, indexCrl: work.indexCrl });
  const ocsp = createOcspSource({ clock, fetchOutside });
  return {
    crls,
    ocsp,
    findIssuers: createIssuerSource({ clock, fetchOutside, readUpload: work.readUpload }).of,
    lookUpRevocation: lookUpRevocation ?? createLookUpRevocation({ clock, issuers, crls, ocsp }),
  };
}
