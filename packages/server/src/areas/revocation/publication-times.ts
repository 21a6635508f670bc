// Times and bounds of publishing revocation: pure rules, time is an argument.

/**
 * `shard-3`: the list of one of several distribution points of an authority, about the certificates that name it only.
 */
export type ShardKind = `shard-${number}`;
export type CrlKind = 'full' | 'delta' | ShardKind;

export const shardKind = (shard: number): ShardKind => `shard-${shard}`;

/** The number of a shard; undefined for lists about all certificates. */
export const shardOf = (kind: CrlKind): number | undefined =>
  kind === 'full' || kind === 'delta' ? undefined : Number(kind.slice('shard-'.length));

/** Work that one node at a time does for an authority: fetching a CRL of a kind, or renewing the responder. */
export type DutyName = CrlKind | 'responder';
export type DutyOutcome = 'done' | 'failed' | 'notOffered';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Clocks of authorities, nodes and clients differ by this much without anything being wrong. */
export const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** A CRL is fetched anew this long before its next update at the latest: time to repair an authority that is down. */
const LONGEST_CRL_LEAD_MS = DAY_MS;

/** When the next CRL is due: a quarter of its life before its end, so that lists never leave a gap. */
export function crlRefreshAtMs(crl: { readonly thisUpdateMs: number; readonly nextUpdateMs: number }): number {
  const lifeMs = Math.max(0, crl.nextUpdateMs - crl.thisUpdateMs);
  return crl.nextUpdateMs - Math.min(lifeMs / 4, LONGEST_CRL_LEAD_MS);
}

/**
 * How long an OCSP response is good. Long enough for servers that staple it to survive an outage of ours, short enough
 * that a response stolen before a revocation is of little use.
 */
export const OCSP_VALIDITY_MS = HOUR_MS;

/** A cached response is given out for half of its life, so that every client gets one that is good for a while. */
export const OCSP_REUSE_MS = OCSP_VALIDITY_MS / 2;

/** "Unknown" changes as soon as the certificate is issued or uploaded. */
export const OCSP_UNKNOWN_VALIDITY_MS = MINUTE_MS;

/**
 * How long caches on the way may keep a CRL or an OCSP response: less than their validity, since a revocation must
 * reach clients behind such a cache too. After that an `ETag` costs them one short question.
 */
export const SHARED_CACHE_MAX_AGE_S = 300;

/** A CA certificate changes once in years; an hour keeps a replaced one from being served all day. */
export const CA_CERTIFICATE_MAX_AGE_S = 3_600;

/** Clients ask about one certificate, some about a chain (each costs a look into the inventory). */
export const MAX_CERTIFICATES_PER_REQUEST = 20;

/** Twenty certificates and a signature with its chain stay far below this. */
export const MAX_OCSP_REQUEST_BYTES = 64 * 1024;

/** Some 700,000 revoked certificates. Longer lists are of no use: relying parties fetch them whole. */
export const MAX_CRL_BYTES = 32 * 1024 * 1024;

/** Life of responder certificates: nobody asks whether they are revoked (ocsp-nocheck), so they are short-lived. */
export const RESPONDER_VALIDITY_DAYS = 30;

/** A responder certificate is replaced after two thirds of its life. */
export function responderRenewAtMs(certificate: { readonly notBeforeMs: number; readonly notAfterMs: number }): number {
  return certificate.notBeforeMs + ((certificate.notAfterMs - certificate.notBeforeMs) * 2) / 3;
}

/**
 * The list of a shard is asked for again after so long: the authority adds addresses to it when certificates get new
 * ones, e.g. after a change of the public URL. Caches keep a list for that time in any case.
 */
export const SHARD_RECHECK_MS = SHARED_CACHE_MAX_AGE_S * SECOND_MS;

const RETRY = {
  crl: { firstMs: 5 * SECOND_MS, longestMs: 5 * MINUTE_MS },
  // Every attempt may leave a certificate behind, so they become rare.
  responder: { firstMs: 10 * SECOND_MS, longestMs: HOUR_MS },
} as const;

/** How long something that an authority does not offer is not asked for again. */
const NOT_OFFERED_MS = 10 * MINUTE_MS;
/** A shard exists from the first certificate that names it. */
const SHARD_NOT_OFFERED_MS = MINUTE_MS;

/** Pause after the n-th failure in a row. */
export function retryDelayMs(duty: DutyName, outcome: DutyOutcome, failures: number): number {
  if (outcome === 'done') return 0;
  const shard = duty === 'responder' ? undefined : shardOf(duty);
  if (outcome === 'notOffered') return shard === undefined ? NOT_OFFERED_MS : SHARD_NOT_OFFERED_MS;
  const { firstMs, longestMs } = RETRY[duty === 'responder' ? 'responder' : 'crl'];
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestMs);
}

/**
 * Names of the RA profile for responder certificates of an authority, the first of them unless a profile of another
 * authority has it: names of RA profiles are unique, names of authorities may differ in punctuation and case only.
 */
export function responderProfileNames({ uuid, name }: { readonly uuid: string; readonly name: string }) {
  const plain = responderProfileName(name);
  return [plain, `${plain}-${uuid}`] as const;
}

/** `ocsp-<name in lower case, words joined by dashes>` */
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
