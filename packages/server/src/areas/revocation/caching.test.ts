import { describe, expect, it } from 'vitest';
import { cachingHeaders, isNotModified } from './caching.ts';

const now = Date.UTC(2030, 0, 1, 12, 0, 0);
const fresh = { lastModifiedMs: now - 60_000, endsAtMs: now + 3_600_000, maxAgeS: 300, etag: 'abc' };

describe('caching headers', () => {
  it('allow caches to store content for the specified time', () => {
    expect(cachingHeaders(fresh, now)).toEqual({
      'cache-control': 'max-age=300, public, no-transform, must-revalidate',
      etag: '"abc"',
      'last-modified': 'Tue, 01 Jan 2030 11:59:00 GMT',
      expires: 'Tue, 01 Jan 2030 12:05:00 GMT',
    });
  });

  it('never allow caches to store content beyond its expiry', () => {
    const headers = cachingHeaders({ ...fresh, endsAtMs: now + 10_900 }, now);
    expect(headers['cache-control']).toMatch(/^max-age=10,/);
    expect(headers.expires).toBe('Tue, 01 Jan 2030 12:00:10 GMT');
  });

  it('make caches revalidate expired content immediately', () => {
    expect(cachingHeaders({ ...fresh, endsAtMs: now - 1 }, now)['cache-control']).toMatch(/^max-age=0,/);
  });
});

describe('conditional requests', () => {
  it.each(['"abc"', 'W/"abc"', '"x", "abc"', '*'])('recognize the entity tag in %s', (tags) => {
    expect(isNotModified({ 'if-none-match': tags }, fresh)).toBe(true);
  });

  it('give an entity tag precedence over a date', () => {
    const later = new Date(now).toUTCString();
    expect(isNotModified({ 'if-none-match': '"old"', 'if-modified-since': later }, fresh)).toBe(false);
    expect(isNotModified({ 'if-modified-since': later }, fresh)).toBe(true);
  });

  it('return content that is newer than the date, and also return content if the date is invalid', () => {
    expect(isNotModified({ 'if-modified-since': new Date(now - 120_000).toUTCString() }, fresh)).toBe(false);
    expect(isNotModified({ 'if-modified-since': 'yesterday' }, fresh)).toBe(false);
    expect(isNotModified({}, fresh)).toBe(false);
  });

  it('compare dates in whole seconds, the resolution of HTTP dates', () => {
    const modified = { ...fresh, lastModifiedMs: now + 700 };
    expect(isNotModified({ 'if-modified-since': new Date(now).toUTCString() }, modified)).toBe(true);
  });
});
