// Gathers all certificates in the inventory that could be above a certificate in a path: CA certificates by name and
// key identifier, level by level. Nothing is verified or fetched here; path building then determines the actual
// issuers.
import { MAX_PATH_CERTIFICATES, normalizeName, toHex, type Certificate } from '@signetry/pki';
import { isTruncated, issuerKeyOf, type Issuer, type Issuers } from '../certificates/index.ts';

/** Hierarchies contain about ten authorities, webs of cross-certificates about a hundred. */
const MAX_ISSUERS = 256;
/** Total size in bytes, so that large certificates cannot exhaust memory. */
const MAX_OCTETS = 4 * 1024 * 1024;

export interface GatheredIssuers {
  readonly issuers: readonly Issuer[];
  /** Whether a limit excluded some certificates, in which case a missing issuer may still be in the inventory. */
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
      isIncomplete ||= isTruncated(named);
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
