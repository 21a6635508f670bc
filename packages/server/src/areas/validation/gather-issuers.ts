// Everything of the inventory that may stand above a certificate in a path: CA certificates by name and key identifier,
// level by level. Nothing is proven here and nothing fetched; which of them issued what is found out by path building.
import { MAX_PATH_CERTIFICATES, normalizeName, toHex, type Certificate } from '@signetry/pki';
import { isCut, issuerKeyOf, type Issuer, type Issuers } from '../certificates/index.ts';

/** Hierarchies have some ten authorities; a web of cross-certificates some hundred. */
const MAX_ISSUERS = 256;
/** Octets of them together, so that large ones cannot fill the memory. */
const MAX_OCTETS = 4 * 1024 * 1024;

export interface GatheredIssuers {
  readonly issuers: readonly Issuer[];
  /** A limit left out some, so that an issuer that is not found may be known. */
  readonly isCut: boolean;
}

export async function gatherIssuers(target: Certificate, from: Pick<Issuers, 'named'>): Promise<GatheredIssuers> {
  const gathered = new Map<string, Issuer>();
  let isIncomplete = false;
  const askedFor = new Set<string>();
  let octets = 0;
  let level: readonly Certificate[] = [target];
  for (let depth = 1; depth < MAX_PATH_CERTIFICATES && level.length > 0; depth++) {
    const next: Certificate[] = [];
    for (const certificate of level) {
      const name = normalizeName(certificate.issuer);
      const key = issuerKeyOf(certificate);
      const asked = `${key === undefined ? '' : toHex(key)} ${name}`;
      if (askedFor.has(asked)) continue;
      askedFor.add(asked);
      const named = await from.named(name, key);
      isIncomplete ||= isCut(named);
      for (const issuer of named) {
        if (gathered.has(issuer.row.uuid)) continue;
        octets += issuer.certificate.der.length;
        if (gathered.size === MAX_ISSUERS || octets > MAX_OCTETS)
          return { issuers: [...gathered.values()], isCut: true };
        gathered.set(issuer.row.uuid, issuer);
        next.push(issuer.certificate);
      }
    }
    level = next;
  }
  return { issuers: [...gathered.values()], isCut: isIncomplete };
}
