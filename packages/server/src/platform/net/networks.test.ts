import { describe, expect, it } from 'vitest';
import { contains, isNetwork, networks } from './networks.ts';

describe('networks', () => {
  it('contain their addresses, including IPv4-mapped IPv6 addresses', () => {
    const list = networks(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32']);
    for (const address of ['192.0.2.1', '10.1.2.3', '2001:db8::1', '::ffff:192.0.2.1', '::ffff:10.1.2.3']) {
      expect(contains(list, address), address).toBe(true);
    }
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', 'localhost', '', undefined]) {
      expect(contains(list, address), String(address)).toBe(false);
    }
  });

  it.each(['proxy.example', '10.0.0.0/x', '10.0.0.0/64', ''])('cannot be created from %j', (entry) => {
    expect(() => networks([entry])).toThrow();
  });

  it.each(['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104'])(
    'can be created from %j',
    (entry) => {
      expect(isNetwork(entry)).toBe(true);
      expect(() => networks([entry])).not.toThrow();
    },
  );

  it.each([
    '',
    'a.example',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%eth0',
    ' 10.0.0.1',
  ])('cannot have the form %j', (entry) => expect(isNetwork(entry)).toBe(false));

  it('are empty by default', () => {
    expect(contains(networks([]), '127.0.0.1')).toBe(false);
  });
});
