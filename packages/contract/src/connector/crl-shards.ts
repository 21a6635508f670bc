// CRLs spread over several distribution points (RFC 5280 §4.2.1.13, §5.2.5), beyond the published interface: a
// connector that declares the feature answers `getCrl` for one shard of an authority, and writes addresses into
// certificates that name it.

/** Declared for authorities whose `getCrl` knows `shard`. The member is sent to nobody else. */
export const CRL_SHARDS_FEATURE = 'crlShards';

/** More than this many lists of one CA are a burden of their own. */
export const MAX_CRL_SHARDS = 256;

/** A shard of the list at an address: `…/ca.crl` has `…/ca-shard-3.crl`. Undefined for an address of another form. */
export const crlShardUrl = (url: string, shard: number): string | undefined =>
  url.endsWith('.crl') ? `${url.slice(0, -'.crl'.length)}-shard-${shard}.crl` : undefined;

/** The shard that an address names; undefined for every other address. */
export function crlShardOf(url: string): number | undefined {
  const shard = Number(/-shard-([1-9]\d{0,2})\.crl$/.exec(url)?.[1]);
  return shard <= MAX_CRL_SHARDS ? shard : undefined;
}
