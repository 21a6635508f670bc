// The shards of a CA: separate distribution points over which the revocations of newly issued certificates are spread.
// The shard of a certificate follows from its serial number when it is issued, and later only from the URL in it, so
// that the number of shards can rise without moving anything.
import { LRUCache } from 'lru-cache';
import type { ConnectorStorage } from '@signetry/connector-sdk';
import { crlShardOf, crlShardUrl } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';

/** A shard, as its CRLs need it. */
export interface CrlShard {
  readonly uuid: string;
  /** Every URL that a certificate may have for it, in a stable order. */
  readonly urls: readonly string[];
}

export interface ShardedAuthority {
  readonly uuid: string;
  /** 1: no shards. */
  readonly crlShards: number;
}

export type CrlShards = ReturnType<typeof createCrlShards>;

/** Maximum number of remembered sets of URLs that are already recorded; others are checked again. */
const MAX_REMEMBERED = 1_000;

/** The shard of a new certificate. Serial numbers are random, so their last octets spread evenly. */
export const shardOfSerial = (serial: Uint8Array, shards: number): number =>
  (serial.subarray(-4).reduce((number, octet) => number * 256 + octet, 0) % shards) + 1;

/**
 * The URLs of a shard for a certificate whose profile names those of the complete list. They are alternatives for the
 * same list (RFC 5280 §4.2.1.13), so unless all of them have a form for shards, the result is undefined.
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
    // In order of the shards, so that two nodes that record the same do not deadlock.
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
     * Records the URLs of all shards before a certificate with one of them is signed: a list that does not name the URL
     * in a certificate does not cover it (RFC 5280 §6.3.3 b). Once for each set of URLs; does nothing for a CA without
     * shards.
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

    /** The shard whose lists cover a certificate: the one that has a URL in it (RFC 5280 §6.3.3 b 2 i). */
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
