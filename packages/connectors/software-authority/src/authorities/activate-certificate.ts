// Activates a new certificate for a CA's key that another CA in this connector has just issued.
import { equalBytes, parseCertificate } from '@signetry/pki';
import type { AuthorityRegistry } from './authority-registry.ts';
import type { AuthorityStore } from './authority-store.ts';
import type { SigningAuthority } from './signing-authority.ts';

export interface ActivationParts {
  readonly store: Pick<AuthorityStore, 'findCertificates' | 'replaceCertificate'>;
  readonly registry: Pick<AuthorityRegistry, 'forget'>;
}

/**
 * The new certificate must have the same key, subject and issuer, and must not be older than the current one: a
 * replayed response must not restore an earlier certificate. Certificates from other issuers for the key
 * (cross-certificates) have no effect.
 */
export async function activateCertificate(
  { store, registry }: ActivationParts,
  issued: { readonly der: Uint8Array; readonly issuer: SigningAuthority },
): Promise<void> {
  const certificate = parseCertificate(issued.der);
  if (!certificate.isCa) return;
  const { issuer } = issued;
  for (const row of await store.findCertificates()) {
    const current = parseCertificate(row.certificate);
    const isItsOwn =
      equalBytes(current.spki, certificate.spki) &&
      equalBytes(current.subjectDer, certificate.subjectDer) &&
      equalBytes(current.issuerDer, certificate.issuerDer);
    if (!isItsOwn || equalBytes(current.der, certificate.der) || certificate.notBeforeMs < current.notBeforeMs)
      continue;
    await store.replaceCertificate(row.uuid, {
      replaced: row.certificate,
      certificate: issued.der,
      chain: [issuer.certificate.der, ...issuer.chain],
    });
    registry.forget(row.uuid);
  }
}
