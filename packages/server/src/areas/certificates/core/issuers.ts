// Issuer certificates of the inventory, found by name and proven by signature. Remembered for seconds: a hot path asks
// for the same issuer again and again.
import { isSignedBy, parseCertificate, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../../kernel/clock.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Executor } from '../../../platform/database/database.ts';
import * as store from './store-ca.ts';

export interface Issuer {
  readonly row: store.CaCertificateRow;
  readonly certificate: Certificate;
}

/** A CA certificate on the way from the CA that issues to its root. */
export type PathLink = store.CaPathRow;

export type Issuers = ReturnType<typeof createIssuers>;

/** Of one name: renewals and cross-certificates. The trusted ones come first, so that others cannot displace them. */
const MAX_OF_ONE_NAME = 64;

export function createIssuers(options: { readonly executor: Executor; readonly clock: Clock }) {
  const candidates = createExpiringCache<string, readonly Issuer[]>({
    clock: options.clock,
    load: async (subjectDnNormalized) => {
      const rows = await store.findCaCertificatesBySubject(options.executor, {
        subjectDnNormalized,
        limit: MAX_OF_ONE_NAME,
      });
      return rows.map((row) => ({ row, certificate: parseCertificate(row.der) }));
    },
  });

  const paths = createExpiringCache<string, readonly PathLink[]>({
    clock: options.clock,
    load: (caCertificateUuid) => store.findCaPath(options.executor, caCertificateUuid),
  });

  return {
    /** The CA certificate and those above it, as far as they are linked. */
    pathOf: (caCertificateUuid: string): Promise<readonly PathLink[]> => paths.get(caCertificateUuid),

    /** CA certificates with the name of the issuer, whether or not one of them signed. */
    named: (issuerDnNormalized: string): Promise<readonly Issuer[]> => candidates.get(issuerDnNormalized),

    /** The CA certificate whose key made the signature, or undefined. A root is its own issuer. */
    async of(certificate: Certificate, issuerDnNormalized: string): Promise<Issuer | undefined> {
      const named = await candidates.get(issuerDnNormalized);
      return named.find((issuer) =>
        isSignedBy(certificate, { issuerSpki: issuer.certificate.spki, verify: nodeCrypto.verify }),
      );
    },

    /** A CA certificate was added, removed or revoked, or its trust changed. */
    forget: (): void => {
      candidates.invalidate();
      paths.invalidate();
    },
  };
}
