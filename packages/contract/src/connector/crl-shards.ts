// CRLs partitioned across multiple distribution points (RFC 5280 §4.2.1.13, §5.2.5). Not part of the published
// interface: a connector that declares the feature can return a single partition of an authority's CRL from `getCrl`,
// and includes the partition's URL in certificates.

/** Declared by connectors whose `getCrl` supports `shard`. The member is not sent to other connectors. */
export const CRL_SHARDS_FEATURE = 'crlShards';

/** Maximum number of CRL partitions per CA. Beyond this, the number of CRLs is itself a burden. */
export const MAX_CRL_SHARDS = 256;

/**
 * Returns the URL for a CRL partition, derived from the CRL URL: `…/ca.crl` becomes `…/ca-shard-3.crl`. Returns
 * undefined for other URLs.
 */
export const crlShardUrl = (url: string, shard: number): string | undefined =>
  url.endsWith('.crl') ? `${url.slice(0, -'.crl'.length)}-shard-${shard}.crl` : undefined;

/** Returns the CRL partition number in a URL, or undefined for other URLs. */
export function crlShardOf(url: string): number | undefined {
  const shard = Number(/-shard-([1-9]\d{0,2})\.crl$/.exec(url)?.[1]);
  return shard <= MAX_CRL_SHARDS ? shard : undefined;
}
