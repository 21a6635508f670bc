import { describe, expect, it } from 'vitest';
import { listenerUrl, parseAddress, servedHosts } from './listeners.ts';

describe('listeners', () => {
  it('reads addresses with names, IPv4 and IPv6', () => {
    expect(parseAddress('127.0.0.1:8080')).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(parseAddress('[::1]:0')).toEqual({ host: '::1', port: 0 });
    expect(parseAddress('off')).toBeUndefined();
  });

  it('writes URLs that a client on this machine can use', () => {
    expect(listenerUrl('http', { host: '0.0.0.0', port: 8080 })).toBe('http://127.0.0.1:8080');
    expect(listenerUrl('https', { host: '::1', port: 443 })).toBe('https://[::1]');
  });

  it('answers for its own names only, so that a rebound DNS name reaches nothing', () => {
    const { isServed } = servedHosts([{ host: '127.0.0.1', port: 8080 }], 'https://ca.example:8443');
    expect(['localhost:8080', '127.0.0.1', '[::1]:8080', 'ca.example', 'CA.example:8443'].every(isServed)).toBe(true);
    expect(['evil.example', '10.0.0.1', ''].some(isServed)).toBe(false);
  });

  it('answers for literal addresses when bound to all of them', () => {
    const { isServed } = servedHosts([{ host: '0.0.0.0', port: 8080 }], undefined);
    expect(isServed('10.1.2.3:8080')).toBe(true);
    expect(isServed('evil.example')).toBe(false);
  });
});
