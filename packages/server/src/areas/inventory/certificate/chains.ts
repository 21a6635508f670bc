// Certificate chains in DER, for protocol servers and for CA certificates that the platform publishes. The chain above
// an issuer is cached.
import { createBatcher } from '@signetry/connector-sdk';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findIssuerUuids } from '../../certificates/index.ts';
import type { IssuedEnd } from '../../validation/index.ts';
import type { Downloads } from './download.ts';

/** Chains change when a CA gets a new certificate. */
const ISSUERS_TTL_MS = 60_000;

export interface CertificateChains {
  /** Returns the certificate and its issuers in DER, leaf first. */
  chainOf(uuid: string): Promise<readonly Uint8Array[]>;
  /** Returns the chain above an issued certificate in DER, starting with its issuer; cached by issuer. */
  issuersOf(uuid: string): Promise<readonly Uint8Array[]>;
  /**
   * Returns whether certificates issued by this CA may have multiple chains because CAs above them are cross-certified.
   */
  mayHaveSeveralChains(caDer: Uint8Array): Promise<boolean>;
  /** Returns one DER chain for each valid path above a certificate; the path through its own issuer comes first. */
  validChainsOf(end: IssuedEnd, limit: number): Promise<readonly (readonly Uint8Array[])[]>;
}

export function createCertificateChains(
  { database: { relaxed }, clock }: Platform,
  { chainDer, mayHaveSeveralChains, validChains }: Pick<Downloads, 'chainDer' | 'mayHaveSeveralChains' | 'validChains'>,
): CertificateChains {
  const chains = createExpiringCache({ clock, ttlMs: ISSUERS_TTL_MS, load: chainDer });
  const findIssuerUuid = createBatcher({
    scheduleFlush: relaxed.scheduleFlush,
    write: (uuids: readonly string[]) => findIssuerUuids(relaxed, uuids),
  });

  return {
    chainOf: chainDer,
    issuersOf: async (uuid) => {
      const issuerUuid = await findIssuerUuid(uuid);
      return issuerUuid === undefined ? [] : chains.get(issuerUuid);
    },
    mayHaveSeveralChains,
    validChainsOf: validChains,
  };
}
