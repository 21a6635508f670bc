// Issuer certificates that are not in the inventory, downloaded from the URLs in certificates (caIssuers, RFC 5280
// §4.2.2.1). Only certificates whose key signed the given certificate are accepted.
import { LRUCache } from 'lru-cache';
import { isSignedBy, normalizeName, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Clock } from '../../kernel/clock.ts';
import { isAppError } from '../../kernel/errors.ts';
import type { ReadCertificate } from '../certificates/index.ts';
import { FAILURE_MS, ExternalFetchError, type FetchExternal } from './fetch-external.ts';
import { namedUrls } from './named-urls.ts';

/** Enough for a certificate, or a PKCS #7 message with a few certificates. */
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_URLS = 4;
const MAX_KEPT = 1_000;

export interface IssuerSource {
  /**
   * Returns CA certificates whose key signed the given certificate. The result is empty if it names no URL or no URL
   * returns such a certificate.
   */
  of(certificate: Certificate): Promise<readonly ReadCertificate[]>;
}

export interface IssuerSourceParts {
  readonly clock: Clock;
  readonly fetchOutside: FetchExternal;
  readonly readUpload: (text: string) => Promise<ReadCertificate[]>;
}

export function createIssuerSource({ clock, fetchOutside, readUpload }: IssuerSourceParts): IssuerSource {
  /** A URL is fetched again after a while, whether or not its contents were useful. */
  const kept = new LRUCache<string, { readonly until: number; readonly found: Promise<readonly ReadCertificate[]> }>({
    max: MAX_KEPT,
  });

  function at(url: string): Promise<readonly ReadCertificate[]> {
    const now = clock.now().getTime();
    const known = kept.get(url);
    if (known && known.until > now) return known.found;
    const found = download(url);
    kept.set(url, { until: now + FAILURE_MS, found });
    found.catch(() => kept.delete(url));
    return found;
  }

  async function download(url: string): Promise<readonly ReadCertificate[]> {
    try {
      const octets = await fetchOutside(url, { maxBytes: MAX_RESPONSE_BYTES, accept: 'application/pkix-cert' });
      return await readUpload(Buffer.from(octets).toString('base64'));
    } catch (error) {
      if (error instanceof ExternalFetchError || isAppError(error)) return [];
      throw error;
    }
  }

  return {
    async of(certificate) {
      const issuerName = normalizeName(certificate.issuer);
      for (const url of namedUrls(certificate).issuers.slice(0, MAX_URLS)) {
        const issuers = (await at(url)).filter(({ certificate: each, facts }) => {
          if (facts.trusted_ca === null || facts.subject_dn_normalized !== issuerName) return false;
          return isSignedBy(certificate, { issuerSpki: each.spki, verify: nodeCrypto.verify });
        });
        if (issuers.length > 0) return issuers;
      }
      return [];
    },
  };
}
