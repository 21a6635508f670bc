// Everything of the inventory that may stand above a certificate in a path: CA certificates by name, level by level.
// Nothing is proven here and nothing fetched; which of them issued what is found out by path building.
import { MAX_PATH_CERTIFICATES, normalizeName, type Certificate } from '@signetry/pki';
import type { Issuer, Issuers } from '../core/issuers.ts';

/** Hierarchies have some ten authorities; a web of cross-certificates some hundred. */
const MAX_ISSUERS = 256;
/** Octets of them together, so that large ones cannot fill the memory. */
const MAX_OCTETS = 4 * 1024 * 1024;

export async function gatherIssuers(target: Certificate, issuers: Pick<Issuers, 'named'>): Promise<Issuer[]> {
  const gathered: Issuer[] = [];
  const askedFor = new Set<string>();
  let octets = 0;
  let level: readonly Certificate[] = [target];
  for (let depth = 1; depth < MAX_PATH_CERTIFICATES && level.length > 0; depth++) {
    const next: Certificate[] = [];
    for (const certificate of level) {
      const name = normalizeName(certificate.issuer);
      if (askedFor.has(name)) continue;
      askedFor.add(name);
      for (const issuer of await issuers.named(name)) {
        octets += issuer.certificate.der.length;
        if (gathered.length === MAX_ISSUERS || octets > MAX_OCTETS) return gathered;
        gathered.push(issuer);
        next.push(issuer.certificate);
      }
    }
    level = next;
  }
  return gathered;
}
