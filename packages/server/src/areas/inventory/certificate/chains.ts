// Chains of certificates for protocol servers and for what the platform publishes of its authorities: octets only, and
// what stands above an issuer remembered for a while.
import { createBatcher } from '@signetry/connector-sdk';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findIssuerUuids } from '../../certificates/index.ts';
import type { IssuedEnd } from '../../validation/index.ts';
import type { Downloads } from './download.ts';

/** Chains change when authorities are certified anew. */
const ISSUERS_TTL_MS = 60_000;

export interface CertificateChains {
  /** The certificate and its issuers, leaf first, in DER. */
  chainOf(uuid: string): Promise<readonly Uint8Array[]>;
  /** What stands above an issued certificate, its issuer first, in DER; remembered for a while by issuer. */
  issuersOf(uuid: string): Promise<readonly Uint8Array[]>;
  /** Whether certificates that this CA issued may have several chains: authorities above them are cross-certified. */
  mayHaveSeveralChains(caDer: Uint8Array): Promise<boolean>;
  /** What stands above a certificate on each of its valid paths, in DER, the one through its own issuer first. */
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
