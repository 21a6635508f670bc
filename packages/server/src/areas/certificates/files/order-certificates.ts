// Sorts the certificates from one file. Pure.
import type { ReadCertificate } from '../read-certificate.ts';

/**
 * Returns issuers before the certificates that they issued, so that linking and validation find them. Otherwise the
 * order is preserved.
 */
export function orderIssuersFirst(certificates: readonly ReadCertificate[]): ReadCertificate[] {
  const bySubject = new Map<string, ReadCertificate[]>();
  for (const each of certificates) {
    if (each.facts.trusted_ca === null) continue;
    const named = bySubject.get(each.facts.subject_dn_normalized) ?? [];
    bySubject.set(each.facts.subject_dn_normalized, [...named, each]);
  }
  const ordered = new Set<ReadCertificate>();
  const visiting = new Set<ReadCertificate>();
  const visit = (each: ReadCertificate): void => {
    // Cross-certified authorities form a cycle.
    if (ordered.has(each) || visiting.has(each)) return;
    visiting.add(each);
    for (const issuer of bySubject.get(each.facts.issuer_dn_normalized) ?? []) visit(issuer);
    ordered.add(each);
  };
  for (const each of certificates) visit(each);
  return [...ordered];
}

/**
 * Returns a file's main certificate: the first end-entity certificate or, if there is none, the first certificate that
 * issued none of the others.
 */
export function mainCertificateOf(certificates: readonly [ReadCertificate, ...ReadCertificate[]]): ReadCertificate {
  const issuerNames = new Set(
    certificates
      .filter(({ facts }) => facts.issuer_dn_normalized !== facts.subject_dn_normalized)
      .map(({ facts }) => facts.issuer_dn_normalized),
  );
  return (
    certificates.find(({ facts }) => facts.trusted_ca === null) ??
    certificates.find(({ facts }) => !issuerNames.has(facts.subject_dn_normalized)) ??
    certificates[0]
  );
}
