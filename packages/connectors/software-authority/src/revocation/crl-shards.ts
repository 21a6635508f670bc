// A CA's CRL partitions: separate distribution points across which the revocations of newly issued certificates are
// distributed. A certificate's partition is derived from its serial number at issuance. Afterward, it is determined
// only by the URL in the certificate, so the number of partitions can increase without moving any entries.
import { LRUCache } from 'lru-cache';
import type { ConnectorStorage } from '@signetry/connector-sdk';
import { crlShardOf, crlShardUrl } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';

/** A partition, with the data required to issue its CRLs. */
export interface CrlShard {
  readonly uuid: string;
  /** Every URL that a certificate in this partition may contain, in a stable order. */
  readonly urls: readonly string[];
}

export interface ShardedAuthority {
  readonly uuid: string;
  /** 1 means that the CRL is not partitioned. */
  readonly crlShards: number;
}

export type CrlShards = ReturnType<typeof createCrlShards>;

/** Maximum number of cached URL sets known to be recorded; other sets are checked again. */
const MAX_REMEMBERED = 1_000;

/**
 * Returns the partition for a new certificate. Serial numbers are random, so their last bytes are evenly distributed.
 */
export const shardOfSerial = (serial: Uint8Array, shards: number): number =>
  (serial.subarray(-4).reduce((number, octet) => number * 256 + octet, 0) % shards) + 1;

/**
 * Returns a partition's URLs for a certificate whose profile specifies URLs for the complete CRL. The URLs are
 * alternatives for the same CRL (RFC 5280 §4.2.1.13), so the result is undefined unless every URL has a partition form.
 */
export function shardUrls(urls: readonly string[], shard: number): readonly string[] | undefined {
  const sharded = urls.flatMap((url) => crlShardUrl(url, shard) ?? []);
  return sharded.length > 0 && sharded.length === urls.length ? sharded : undefined;
}

export function createCrlShards(storage: ConnectorStorage) {
  const table = storage.table('crl_shard');
  const recorded = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  async function record(authority: ShardedAuthority, urls: readonly string[]): Promise<void> {
    const points = Array.from({ length: authority.crlShards }, (_, index) => index + 1).flatMap((shard) =>
      (shardUrls(urls, shard) ?? []).map((url) => ({ shard, url })),
    );
    // Sorted by partition, so that two nodes that record the same URLs do not deadlock.
    await storage.query(
      `INSERT INTO ${table} AS known (uuid, authority_uuid, shard, urls)
       SELECT gen_random_uuid(), $1, shard, array_agg(url ORDER BY url) FROM unnest($2::int[], $3::text[]) AS named (shard, url)
       GROUP BY shard ORDER BY shard
       ON CONFLICT (authority_uuid, shard) DO UPDATE
         SET urls = ARRAY(SELECT unnest(known.urls) UNION SELECT unnest(excluded.urls) ORDER BY 1)
       WHERE NOT known.urls @> excluded.urls`,
      [authority.uuid, points.map(({ shard }) => shard), points.map(({ url }) => url)],
    );
  }

  return {
    /**
     * Records the URLs of all partitions before a certificate with one of them is signed: a CRL that does not contain
     * the URL in a certificate does not cover it (RFC 5280 §6.3.3 b). Runs once per set of URLs; has no effect if the
     * CRL is not partitioned.
     */
    async announce(authority: ShardedAuthority, urls: readonly string[]): Promise<void> {
      if (authority.crlShards === 1 || shardUrls(urls, 1) === undefined) return;
      const id = [authority.uuid, authority.crlShards, ...urls].join(' ');
      if (recorded.get(id)) return;
      await record(authority, urls);
      recorded.set(id, true);
    },

    async find(authorityUuid: string, shard: number): Promise<CrlShard | undefined> {
      const [row] = await storage.query<CrlShard>(
        `SELECT uuid, urls FROM ${table} WHERE authority_uuid = $1 AND shard = $2`,
        [authorityUuid, shard],
      );
      return row;
    },

    /** Returns the partition whose CRLs cover a certificate: the one with a URL from it (RFC 5280 §6.3.3 b 2 i). */
    async findByCertificate(
      authorityUuid: string,
      certificate: Pick<Certificate, 'crlUrls'>,
    ): Promise<string | undefined> {
      const urls = certificate.crlUrls.filter((url) => crlShardOf(url) !== undefined);
      if (urls.length === 0) return undefined;
      const [row] = await storage.query<{ uuid: string }>(
        `SELECT uuid FROM ${table} WHERE authority_uuid = $1 AND urls && $2::text[] ORDER BY shard LIMIT 1`,
        [authorityUuid, urls],
      );
      return row?.uuid;
    },
  };
}
