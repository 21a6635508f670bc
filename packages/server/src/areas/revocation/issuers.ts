// CA certificates of an authority, and the digests with which OCSP requests identify them. Current CA certificates come
// from the inventory. Former ones are stored here, because clients still request the status of certificates that they
// issued.
import { parseCertificate, PkiError } from '@signetry/pki';
import { notFound } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RevocationAuthority, RevocationPorts } from './ports.ts';
import { caKeyOf, groupByCa, indexByHash, type Issuer } from './issuer-index.ts';
import * as store from './store.ts';

export interface AuthorityIssuers {
  readonly authority: RevocationAuthority;
  /** Current CAs before former ones, each newest first. */
  readonly issuers: readonly Issuer[];
  /** Keyed by the `issuerHashKey` of a CertID. */
  readonly byHash: ReadonlyMap<string, Issuer>;
}

export type { Issuer } from './issuer-index.ts';
export type Issuers = ReturnType<typeof createIssuers>;

export function createIssuers(platform: Platform, ports: Pick<RevocationPorts, 'authorities' | 'certificates'>) {
  const { clock, database, log } = platform;
  const cache = createExpiringCache<string, AuthorityIssuers>({ clock, load });

  async function load(authorityUuid: string): Promise<AuthorityIssuers> {
    const authority = await ports.authorities.find(authorityUuid);
    const [known, current] = await Promise.all([
      store.findIssuers(database.executor, authorityUuid),
      ports.certificates.caCertificatesOf(authorityUuid),
    ]);
    const currentUuids = new Set(current.map(({ uuid }) => uuid));
    const unseen = current.filter(({ uuid }) => !known.some((row) => row.certificate_uuid === uuid));
    if (unseen.length > 0) {
      const first_seen_at = clock.now();
      const rows = unseen.map(({ uuid, der }) => ({
        authority_uuid: authorityUuid,
        certificate_uuid: uuid,
        der: Buffer.from(der),
        first_seen_at,
      }));
      await store.insertIssuers(database.executor, rows);
    }
    const all = [...current, ...known.map((row) => ({ uuid: row.certificate_uuid, der: row.der }))];
    const issuers = groupByCa(
      all.flatMap((item) => read(authority, item)),
      currentUuids,
    );
    return { authority, issuers, byHash: indexByHash(issuers) };
  }

  /** Skips certificates that cannot be parsed. */
  function read(authority: RevocationAuthority, item: { readonly uuid: string; readonly der: Uint8Array }) {
    try {
      const certificate = parseCertificate(item.der);
      return [{ uuid: item.uuid, certificate, key: caKeyOf(certificate) }];
    } catch (error) {
      if (!(error instanceof PkiError)) throw error;
      log.warn({ error, authority: authority.uuid, certificate: item.uuid }, 'cannot parse a CA certificate');
      return [];
    }
  }

  return {
    /** Throws `object_not_found` if the authority does not exist. */
    of: (authorityUuid: string): Promise<AuthorityIssuers> => cache.get(authorityUuid),

    /** Returns the CA that currently signs for the authority; 404 if its certificate is not known yet. */
    async currentOf(authorityUuid: string): Promise<Issuer> {
      const { authority, issuers } = await cache.get(authorityUuid);
      const [issuer] = issuers;
      if (!issuer) throw notFound('The CA certificate of authority', authority.name);
      return issuer;
    },

    forget: (authorityUuid?: string): void => cache.invalidate(authorityUuid),
  };
}
