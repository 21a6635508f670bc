import { describe, expect, it } from 'vitest';
import { isReservedAddress } from './reserved-addresses.ts';
import { parseIpAddress } from '../x509/ip-address.ts';

const octetsOf = (text: string): Uint8Array => parseIpAddress(text) ?? expect.unreachable('the test has an address');

describe('reserved addresses', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.127.255.255',
    '127.0.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:1.1.1.1',
    '64:ff9b::1',
    '100::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002::1',
    '3fff:fff::1',
    'fd00::1',
    'febf::1',
    'ff02::1',
  ])('%s is reserved', (text) => {
    expect(isReservedAddress(octetsOf(text))).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '100.128.0.0',
    '172.32.0.1',
    '192.0.1.1',
    '192.169.0.1',
    '198.20.0.0',
    '198.51.101.1',
    '223.255.255.255',
    '::2',
    '2001:200::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700::1',
    '4000::1',
    'fec0::1',
  ])('%s is not reserved', (text) => {
    expect(isReservedAddress(octetsOf(text))).toBe(false);
  });
});
