// HTTP caching of downloads (RFC 9111; RFC 5019 §6.2 for OCSP). Pure.
import { createHash } from 'node:crypto';

export interface Freshness {
  readonly lastModifiedMs: number;
  /** Time after which the content must no longer be used; absent if it does not expire. */
  readonly endsAtMs?: number | undefined;
  readonly maxAgeS: number;
  /** The tag without quotes. */
  readonly etag: string;
}

export type CachingHeaders = Readonly<Record<'cache-control' | 'etag' | 'last-modified' | 'expires', string>>;

/** Returns headers that allow clients and shared caches to cache the content. */
export function cachingHeaders({ lastModifiedMs, endsAtMs, maxAgeS, etag }: Freshness, nowMs: number): CachingHeaders {
  const leftS = endsAtMs === undefined ? maxAgeS : Math.floor((endsAtMs - nowMs) / 1000);
  const ageS = Math.max(0, Math.min(maxAgeS, leftS));
  return {
    'cache-control': `max-age=${ageS}, public, no-transform, must-revalidate`,
    etag: `"${etag}"`,
    'last-modified': new Date(lastModifiedMs).toUTCString(),
    expires: new Date(nowMs + ageS * 1000).toUTCString(),
  };
}

/** Headers for content that must not be cached: responses for a single client, and errors (RFC 5019 §6.2). */
export const UNCACHED = { 'cache-control': 'no-cache, no-store' } as const;

/** Returns an entity tag for the bytes. */
export const entityTag = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

export interface Conditions {
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
}

/**
 * Returns whether the client already has this content. An entity tag takes precedence over a date (RFC 9110 §13.2.2).
 */
export function isNotModified(conditions: Conditions, { etag, lastModifiedMs }: Freshness): boolean {
  const tags = conditions['if-none-match'];
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === `"${etag}"`);
  }
  const since = Date.parse(conditions['if-modified-since'] ?? '');
  // HTTP dates have a resolution of 1 s.
  return Number.isFinite(since) && Math.floor(lastModifiedMs / 1000) * 1000 <= since;
}
