// Times and limits for publishing revocation information. Pure: time is an argument.

/**
 * `shard-3`: CRL for one of an authority's distribution points. It covers only the certificates that refer to this
 * distribution point.
 */
export type ShardKind = `shard-${number}`;
export type CrlKind = 'full' | 'delta' | ShardKind;

export const shardKind = (shard: number): ShardKind => `shard-${shard}`;

/** Returns the number of a CRL partition; undefined for CRLs that cover all certificates. */
export const shardOf = (kind: CrlKind): number | undefined =>
  kind === 'full' || kind === 'delta' ? undefined : Number(kind.slice('shard-'.length));

/**
 * Work that only one node at a time performs for an authority: fetching a CRL of a given kind, or renewing the
 * responder.
 */
export type TaskName = CrlKind | 'responder';
export type TaskOutcome = 'done' | 'failed' | 'notOffered';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Clock skew tolerated between authorities, nodes and clients. */
export const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Maximum time before nextUpdate at which a CRL is refetched: long enough to repair an authority that is down. */
const LONGEST_CRL_LEAD_MS = DAY_MS;

/**
 * Returns when the next CRL is due: when a quarter of the validity period remains, so that there is always a valid CRL.
 */
export function crlRefreshAtMs(crl: { readonly thisUpdateMs: number; readonly nextUpdateMs: number }): number {
  const lifeMs = Math.max(0, crl.nextUpdateMs - crl.thisUpdateMs);
  return crl.nextUpdateMs - Math.min(lifeMs / 4, LONGEST_CRL_LEAD_MS);
}

/**
 * Validity of an OCSP response: long enough for servers that staple it to survive an outage of the platform, short
 * enough that a response captured before a revocation is of little use.
 */
export const OCSP_VALIDITY_MS = HOUR_MS;

/**
 * A cached response is reused for half of its validity period, so that every client receives a response that remains
 * valid for a while.
 */
export const OCSP_REUSE_MS = OCSP_VALIDITY_MS / 2;

/** The status "unknown" changes as soon as the certificate is issued or uploaded. */
export const OCSP_UNKNOWN_VALIDITY_MS = MINUTE_MS;

/**
 * How long shared caches may store a CRL or an OCSP response. This is shorter than their validity periods, because a
 * revocation must also reach clients behind such a cache. After that, revalidation with an `ETag` is cheap.
 */
export const SHARED_CACHE_MAX_AGE_S = 300;

/**
 * A CA certificate changes once every few years. One hour prevents a replaced certificate from being served all day.
 */
export const CA_CERTIFICATE_MAX_AGE_S = 3_600;

/**
 * Clients usually request the status of a single certificate, and sometimes of a chain. Each certificate requires an
 * inventory lookup.
 */
export const MAX_CERTIFICATES_PER_REQUEST = 20;

/** A request for 20 certificates that includes a signature and its chain is well below this size. */
export const MAX_OCSP_REQUEST_BYTES = 64 * 1024;

/**
 * Enough for about 700,000 revoked certificates. Longer CRLs are impractical, because relying parties download them in
 * full.
 */
export const MAX_CRL_BYTES = 32 * 1024 * 1024;

/** Validity of responder certificates. Their revocation is not checked (ocsp-nocheck), so they are short-lived. */
export const RESPONDER_VALIDITY_DAYS = 30;

/** A responder certificate is replaced after two thirds of its validity period. */
export function responderRenewAtMs(certificate: { readonly notBeforeMs: number; readonly notAfterMs: number }): number {
  return certificate.notBeforeMs + ((certificate.notAfterMs - certificate.notBeforeMs) * 2) / 3;
}

/**
 * How often a CRL partition is refetched. The authority adds URLs to it when new certificates contain different ones,
 * e.g. after the public URL has changed. Caches store a CRL for this long anyway.
 */
export const SHARD_RECHECK_MS = SHARED_CACHE_MAX_AGE_S * SECOND_MS;

const RETRY = {
  crl: { firstMs: 5 * SECOND_MS, longestMs: 5 * MINUTE_MS },
  // Every attempt may leave a certificate behind, so attempts become less frequent.
  responder: { firstMs: 10 * SECOND_MS, longestMs: HOUR_MS },
} as const;

/** How long to wait before requesting something again that an authority does not support. */
const NOT_OFFERED_MS = 10 * MINUTE_MS;
/** A CRL partition exists once a certificate refers to it. */
const SHARD_NOT_OFFERED_MS = MINUTE_MS;

/** Returns the delay after the n-th consecutive failure. */
export function retryDelayMs(duty: TaskName, outcome: TaskOutcome, failures: number): number {
  if (outcome === 'done') return 0;
  const shard = duty === 'responder' ? undefined : shardOf(duty);
  if (outcome === 'notOffered') return shard === undefined ? NOT_OFFERED_MS : SHARD_NOT_OFFERED_MS;
  const { firstMs, longestMs } = RETRY[duty === 'responder' ? 'responder' : 'crl'];
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestMs);
}

/**
 * Returns candidate names for the RA profile under which an authority's responder certificates are issued. The first
 * name is used unless a profile of a different authority already has it: RA profile names are unique, but authority
 * names can differ only in punctuation and case.
 */
export function responderProfileNames({ uuid, name }: { readonly uuid: string; readonly name: string }) {
  const plain = responderProfileName(name);
  return [plain, `${plain}-${uuid}`] as const;
}

/** Returns `ocsp-<name in lowercase, words joined by hyphens>`. */
export function responderProfileName(authorityName: string): string {
  const slug = authorityName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'ocsp-authority' : `ocsp-${slug}`;
}
