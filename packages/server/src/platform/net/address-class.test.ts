import { describe, expect, it } from 'vitest';
import { addressClass, embeddedAddresses } from './address-class.ts';

describe('the address class of', () => {
  it.each([
    ['8.8.8.8', 'public'], ['172.32.0.1', 'public'], ['2606:4700::1111', 'public'],
    ['10.1.2.3', 'private'], ['172.31.255.255', 'private'], ['192.168.0.1', 'private'], ['100.64.0.1', 'private'],
    ['fd12::1', 'private'], ['fec0::1', 'private'],
    ['127.0.0.1', 'loopback'], ['127.255.255.254', 'loopback'], ['::1', 'loopback'], ['0:0:0:0:0:0:0:1', 'loopback'],
    ['169.254.1.1', 'linkLocal'], ['fe80::1', 'linkLocal'], ['fe80::1%eth0', 'linkLocal'],
    ['0.0.0.0', 'unspecified'], ['::', 'unspecified'], ['255.255.255.255', 'unspecified'],
    ['224.0.0.1', 'multicast'], ['239.255.255.255', 'multicast'], ['ff02::1', 'multicast'],
    ['192.0.0.8', 'reserved'], ['192.0.2.1', 'reserved'], ['198.51.100.1', 'reserved'], ['203.0.113.1', 'reserved'],
    ['192.88.99.1', 'reserved'], ['198.18.0.1', 'reserved'], ['198.19.255.255', 'reserved'], ['240.0.0.1', 'reserved'],
    ['100::1', 'reserved'], ['2001:2::1', 'reserved'], ['2001:20::1', 'reserved'], ['2001:db8::1', 'reserved'],
    ['3fff:fff::1', 'reserved'], ['5f00::1', 'reserved'],
  ])('%s is %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  }); // prettier-ignore

  it.each([
    '169.254.169.254', '169.254.170.2', '169.254.170.23', '168.63.129.16', '192.0.0.192', '100.100.100.200',
    '169.254.42.42', '169.254.0.23', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe',
    'fd00:a9fe:a9fe::1', 'fd00:42::42',
  ])('%s is metadata, because cloud providers serve instance metadata there', (address) => {
    expect(addressClass(address)).toBe('metadata');
  }); // prettier-ignore

  it.each([
    ['mapped', (v4: string) => `::ffff:${v4}`],
    ['mapped, in hexadecimal', (v4: string) => `0:0:0:0:0:FFFF:${hex(v4)}`],
    ['translated', (v4: string) => `::ffff:0:${v4}`],
    ['compatible', (v4: string) => `::${v4}`],
    ['behind NAT64', (v4: string) => `64:ff9b::${v4}`],
    ['behind NAT64 of a /96 of its own', (v4: string) => `64:ff9b:1:77::${hex(v4)}`],
    ['behind NAT64 of a /48 of its own', (v4: string) => `64:ff9b:1:${bytes(v4, '%0%1:00%2:%300')}::`],
    ['behind NAT64 of a /56 of its own', (v4: string) => `64:ff9b:1:${bytes(v4, '00%0:00%1:%2%3')}::`],
    ['behind NAT64 of a /64 of its own', (v4: string) => `64:ff9b:1:0:${bytes(v4, '00%0:%1%2:%300')}:0:0`.replace(/:0:0$/, ':0')],
    ['in 6to4', (v4: string) => `2002:${hex(v4)}::1`],
    ['of a Teredo server', (v4: string) => `2001:0:${hex(v4)}::f7f7:f7f7`],
    ['of a Teredo client', (v4: string) => `2001:0:808:808::${hex(inverted(v4))}`],
    ['in ISATAP', (v4: string) => `2606:4700::5efe:${hex(v4)}`],
    ['in ISATAP, globally unique', (v4: string) => `2606:4700::200:5efe:${hex(v4)}`],
  ])('an IPv6 address is that of its embedded IPv4 address if it is %s', (_form, carry) => {
    expect(addressClass(carry('127.0.0.1'))).toBe('loopback');
    expect(addressClass(carry('169.254.169.254'))).toBe('metadata');
    expect(addressClass(carry('169.254.7.7'))).toBe('linkLocal');
    expect(addressClass(carry('168.63.129.16'))).toBe('metadata');
    expect(addressClass(carry('8.8.8.8'))).toBe('public');
    expect(embeddedAddresses(carry('127.0.0.1'))).toContain('127.0.0.1');
  }); // prettier-ignore

  it.each([
    ['::2', 'unspecified'], ['::ffff:0:0', 'unspecified'], ['2002:e000:1::', 'multicast'],
    ['64:ff9b::c612:1', 'reserved'], ['not an address', 'unspecified'],
  ])('%s is %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  }); // prettier-ignore
});

const octets = (v4: string): number[] => v4.split('.').map(Number);
const digits = (octet = 0): string => octet.toString(16).padStart(2, '0');
/** Inserts the bytes of an IPv4 address, in hexadecimal, into a pattern. */
const bytes = (v4: string, pattern: string): string =>
  pattern.replaceAll(/%(\d)/g, (_whole, place: string) => digits(octets(v4)[Number(place)]));
const hex = (v4: string): string => bytes(v4, '%0%1:%2%3');
const inverted = (v4: string): string =>
  octets(v4)
    .map((octet) => octet ^ 0xff)
    .join('.');
