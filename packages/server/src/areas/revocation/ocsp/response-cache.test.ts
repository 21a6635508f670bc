import { describe, expect, it } from 'vitest';
import { createResponseCache, type SignedResponse } from './response-cache.ts';
import type { Responder } from './responders.ts';

const responder = { uuid: 'r1' } as Responder; // Only its identifier matters here.
const response: SignedResponse = { der: new Uint8Array(1), thisUpdateMs: 1_000_000, nextUpdateMs: 1_100_000 };
const key = { certId: 'a', status: 'good', responder };
const cacheWith = (options: { maxEntries?: number } = {}) => {
  const cache = createResponseCache({ reuseMs: 50_000, ...options });
  cache.keep(key, response);
  return cache;
};

describe('cached OCSP responses', () => {
  it('are returned as long as the status is unchanged and they are recent enough', () => {
    const cache = cacheWith();
    expect(cache.find(key, 1_049_999)).toBe(response);
    expect(cache.find(key, 1_050_000)).toBeUndefined();
  });

  it('are not returned for a different status, responder or certificate', () => {
    const cache = cacheWith();
    expect(cache.find({ ...key, status: 'revoked 5' }, 1_000_000)).toBeUndefined();
    expect(cache.find({ ...key, responder: { uuid: 'r2' } as Responder }, 1_000_000)).toBeUndefined();
    expect(cache.find({ ...key, certId: 'b' }, 1_000_000)).toBeUndefined();
  });

  it('are not returned if the clock is set back to a time before they were produced', () => {
    expect(cacheWith().find(key, 900_000)).toBeUndefined();
  });

  it('are limited in number: the least recently used response is evicted', () => {
    const cache = cacheWith({ maxEntries: 2 });
    cache.keep({ ...key, certId: 'b' }, response);
    cache.find(key, 1_000_000);
    cache.keep({ ...key, certId: 'c' }, response);
    expect(cache.find({ ...key, certId: 'b' }, 1_000_000)).toBeUndefined();
    expect(cache.find(key, 1_000_000)).toBe(response);
  });
});
