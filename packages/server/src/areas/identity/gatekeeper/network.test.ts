import { describe, expect, it } from 'vitest';
import { contains, isLoopback, isLoopbackHost, isSafeMethod, networks } from './network.ts';

describe('networks', () => {
  it('hold their addresses, also those that IPv6 wraps', () => {
    const list = networks(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32']);
    for (const address of ['192.0.2.1', '10.1.2.3', '2001:db8::1', '::ffff:192.0.2.1', '::ffff:10.1.2.3']) {
      expect(contains(list, address), address).toBe(true);
    }
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', 'localhost', '', undefined]) {
      expect(contains(list, address), String(address)).toBe(false);
    }
  });

  it.each(['proxy.example', '10.0.0.0/x', '10.0.0.0/64', ''])('are not made of %j', (entry) => {
    expect(() => networks([entry])).toThrow();
  });

  it('are empty by default', () => {
    expect(contains(networks([]), '127.0.0.1')).toBe(false);
  });
});

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    [undefined, false],
  ])('address %s: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });

  it.each([
    ['localhost', true],
    ['LOCALHOST:8080', true],
    ['127.0.0.1:8080', true],
    ['[::1]:8080', true],
    ['[::1]', true],
    ['ca.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.nip.io:80', false],
    ['localhost@evil.example', false],
    ['evil.example:localhost', false],
    ['', false],
    [undefined, false],
  ])('host %s: %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});

describe('methods', () => {
  it('are safe when they change nothing', () => {
    expect(['GET', 'HEAD', 'OPTIONS'].every(isSafeMethod)).toBe(true);
    expect(['POST', 'PUT', 'PATCH', 'DELETE', 'get'].some(isSafeMethod)).toBe(false);
  });
});
