// CRLs spread over several distribution points (RFC 5280 §4.2.1.13, §5.2.5), beyond the published interface: a
// connector that declares the feature answers `getCrl` for one shard of an authority, and puts the shard's URL into
// certificates.

/** Declared by connectors whose `getCrl` knows `shard`. The member is sent to no others. */
export const CRL_SHARDS_FEATURE = 'crlShards';

/** Maximum number of shards of one CA: more would themselves become a burden. */
export const MAX_CRL_SHARDS = 256;

/** The URL of a shard, from that of the CRL: `…/ca.crl` becomes `…/ca-shard-3.crl`. Undefined for other URLs. */
export const crlShardUrl = (url: string, shard: number): string | undefined =>
  url.endsWith('.crl') ? `${url.slice(0, -'.crl'.length)}-shard-${shard}.crl` : undefined;

/** The shard that a URL names; undefined for other URLs. */
export function crlShardOf(url: string): number | undefined {
  const shard = Number(/-shard-([1-9]\d{0,2})\.crl$/.exec(url)?.[1]);
  return shard <= MAX_CRL_SHARDS ? shard : undefined;
}
