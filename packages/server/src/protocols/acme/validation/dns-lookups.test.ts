import type { DnsRecord, DnsServerOptions, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDnsLookups } from './dns-lookups.ts';
import { LookupFailure } from './lookup-failure.ts';
import { SHORT_LIMIT_MS, startDnsServer } from './testing/targets.ts';

const aRecord = (address: string): DnsRecord => ({ type: 'A', address });
const six = (address: string): DnsRecord => ({ type: 'AAAA', address });
const alias = (target: string): DnsRecord => ({ type: 'CNAME', target });

async function startLookups(zone: DnsZone, options: DnsServerOptions = {}) {
  const dns = await startDnsServer({ ...zone }, options);
  onTestFinished(() => dns.close());
  const lookups = createDnsLookups({ limitMs: 2000 });
  const addresses = (name: string, signal = new AbortController().signal) =>
    lookups.addresses(name, { resolver: dns, signal });
  return { dns, addresses };
}

describe('DNS lookups', () => {
  it('return the addresses of both families, alternating and starting with IPv6 (RFC 3596 §2.1, RFC 8305 §4)', async () => {
    const { addresses, dns } = await startLookups({
      'a.test': [
        aRecord('192.0.2.1'),
        six('2001:db8::1'),
        six('2001:db8::2'),
        aRecord('192.0.2.2'),
        aRecord('192.0.2.3'),
      ],
    });
    expect(await addresses('a.test')).toEqual({
      records: ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2', '192.0.2.3'],
      nameExists: true,
    });
    expect(dns.questions).toHaveLength(2);
  });

  it('succeed with one family if the other one fails (RFC 4074 §4)', async () => {
    const { addresses } = await startLookups({ 'a.test': [aRecord('192.0.2.1')], 'a.test AAAA': 'servfail' });
    expect(await addresses('a.test')).toMatchObject({ records: ['192.0.2.1'] });
    const nothing = await startLookups({ 'a.test': [], 'a.test AAAA': 'servfail' });
    await expect(nothing.addresses('a.test')).rejects.toMatchObject({ reason: 'servfail' });
  });

  it('distinguish a name without addresses from a nonexistent name (RFC 2308 §2)', async () => {
    const { addresses } = await startLookups({ 'a.test': [] });
    expect(await addresses('a.test')).toEqual({ records: [], nameExists: true });
    expect(await addresses('b.test')).toEqual({ records: [], nameExists: false });
  });

  it.each([true, false])('follow aliases, resolved by the resolver: %s (RFC 1034 §3.6.2)', async (chases) => {
    const zone = { 'a.test': [alias('b.test')], 'b.test': [alias('c.test')], 'c.test': [six('2001:db8::1')] };
    const { addresses } = await startLookups(zone, { chases });
    expect(await addresses('a.test')).toMatchObject({ records: ['2001:db8::1'] });
  });

  it.each([true, false])('report an alias loop, followed by the resolver: %s (RFC 1034 §3.6.2)', async (chases) => {
    // The test resolver knows only lowercase names.
    const self = alias(chases ? 'c.test' : 'C.test');
    const zone = { 'a.test': [alias('b.test')], 'b.test': [alias('a.test')], 'c.test': [self] };
    const { addresses } = await startLookups(zone, { chases });
    for (const name of ['a.test', 'c.test'])
      await expect(addresses(name)).rejects.toMatchObject({
        reason: 'aliasLoop',
        message: expect.stringContaining('form a loop') as string,
      });
  });

  it('report a loop for which the resolver returns SERVFAIL as a loop, but no other SERVFAIL response', async () => {
    const { addresses } = await startLookups({
      'a.test CNAME': [alias('b.test')],
      'a.test': 'servfail',
      'b.test CNAME': [alias('a.test')],
      'b.test': 'servfail',
      'broken.test': 'servfail',
      'c.test CNAME': [alias('broken.test')],
      'c.test': 'servfail',
    });
    await expect(addresses('a.test')).rejects.toMatchObject({ reason: 'aliasLoop' });
    for (const name of ['broken.test', 'c.test'])
      await expect(addresses(name)).rejects.toMatchObject({ reason: 'servfail' });
  });

  it('stop at an alias chain that is too long', async () => {
    const zone = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`a${at}.test`, [alias(`a${at + 1}.test`)]]));
    const { addresses } = await startLookups(zone, { chases: false });
    await expect(addresses('a0.test')).rejects.toMatchObject({ reason: 'aliasChain' });
  });

  it('query the server every time (RFC 8555 §8.2)', async () => {
    const { addresses, dns } = await startLookups({ 'a.test': [aRecord('192.0.2.1')] });
    await addresses('a.test');
    dns.zone['a.test'] = [aRecord('192.0.2.2')];
    expect(await addresses('a.test')).toMatchObject({ records: ['192.0.2.2'] });
    delete dns.zone['a.test'];
    expect(await addresses('a.test')).toMatchObject({ nameExists: false });
    dns.zone['a.test'] = [aRecord('192.0.2.3')];
    expect(await addresses('a.test')).toMatchObject({ records: ['192.0.2.3'] });
  });

  it('can use a resolver over IPv6, and different resolvers in succession (RFC 8555 §8.3)', async () => {
    const lookups = createDnsLookups({ limitMs: SHORT_LIMIT_MS });
    const signal = new AbortController().signal;
    const servers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => startDnsServer({ 'a.test': [aRecord(`192.0.2.${at}`)] })),
    );
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))));
    for (const [at, resolver] of servers.entries())
      expect(await lookups.addresses('a.test', { resolver, signal })).toMatchObject({ records: [`192.0.2.${at}`] });
    const nobody = { address: '::1', port: servers[0]!.port };
    await expect(lookups.addresses('a.test', { resolver: nobody, signal })).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  it('abandon an unresponsive server when the signal is aborted (RFC 8555 §10.3)', async () => {
    const { addresses } = await startLookups({ 'a.test': 'silent' });
    await expect(addresses('a.test', AbortSignal.timeout(50))).rejects.toMatchObject({ reason: 'timeout' });
    await expect(addresses('a.test', AbortSignal.abort())).rejects.toBeInstanceOf(LookupFailure);
  });

  it('use the system resolver if none is configured (RFC 8555 §8.3)', async () => {
    const { addresses } = createDnsLookups();
    const options = { resolver: undefined, signal: new AbortController().signal };
    expect((await addresses('localhost', options)).records).toContain('127.0.0.1');
    await expect(addresses('localhost', { ...options, signal: AbortSignal.abort() })).rejects.toMatchObject({
      reason: 'timeout',
    });
  });
});
