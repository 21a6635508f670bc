import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { addressClass, createEgressGate, EgressError, type EgressPolicy } from './egress.ts';

const policy: EgressPolicy = { allowLoopback: false, allowedHosts: [], onlyHosts: [], isOwnListener: () => false };

describe('egress gate', () => {
  it.each([
    ['127.0.0.1', 'loopback'], ['::1', 'loopback'], ['::ffff:127.0.0.1', 'loopback'], ['169.254.169.254', 'metadata'],
    ['169.254.1.1', 'linkLocal'], ['fe80::1', 'linkLocal'], ['10.1.2.3', 'private'], ['fd12::1', 'private'],
    ['::ffff:7f00:1', 'loopback'], ['0:0:0:0:0:FFFF:A9FE:A9FE', 'metadata'], ['::127.0.0.1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'metadata'], ['64:ff9b::8.8.8.8', 'public'], ['::', 'unspecified'],
    ['0:0:0:0:0:0:0:1', 'loopback'], ['::2', 'unspecified'], ['::ffff:0:0', 'unspecified'],
    ['0.0.0.0', 'unspecified'], ['224.0.0.1', 'unspecified'], ['8.8.8.8', 'public'], ['2001:db8::1', 'public'],
  ])('puts %s into the class %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  }); // prettier-ignore

  it.each([
    'file:///etc/passwd',
    'gopher://host/',
    'http://user:pw@host/',
    'http://169.254.169.254/latest',
    'http://[::1]:8080/',
    'http://2130706433/',
  ])('refuses the URL %s by its form', (url) => {
    expect(() => createEgressGate(policy).assertUrl(url)).toThrow();
  });

  it('refuses a host name that resolves to loopback, unless loopback is allowed', async () => {
    await expect(createEgressGate(policy).resolve('localhost', 80)).rejects.toMatchObject({ reason: 'addressClass' });
    await expect(
      createEgressGate({ ...policy, allowLoopback: true }).resolve('localhost', 80),
    ).resolves.not.toHaveLength(0);
  });

  it('checks connections of its dispatcher, and refuses our own listeners even where loopback is allowed', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    try {
      const open = createEgressGate({ ...policy, allowLoopback: true });
      const answer = await request(url, { dispatcher: open.dispatcher() });
      expect(await answer.body.text()).toBe('reached');
      await expect(request(url, { dispatcher: createEgressGate(policy).dispatcher() })).rejects.toMatchObject({
        reason: 'addressClass',
      });
      const own = createEgressGate({ ...policy, allowLoopback: true, isOwnListener: (_address, own) => own === port });
      await expect(request(url, { dispatcher: own.dispatcher() })).rejects.toMatchObject({ reason: 'ownListener' });
      await expect(request(`http://localhost:${port}/`, { dispatcher: own.dispatcher() })).rejects.toMatchObject({
        reason: 'ownListener',
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('checks one address for a caller that looked it up, whose own permission opens loopback and nothing else', () => {
    const gate = createEgressGate({
      ...policy,
      isOwnListener: (address, port) => `${address}:${port}` === '127.0.0.1:8443',
    });
    expect(() => gate.assertAddress('host', { address: '192.0.2.1', port: 80 })).not.toThrow();
    expect(() => gate.assertAddress('host', { address: '127.0.0.1', port: 80 })).toThrow(EgressError);
    expect(() => gate.assertAddress('host', { address: '127.0.0.1', port: 80, allowLoopback: true })).not.toThrow();
    for (const address of ['169.254.169.254', '169.254.1.1', 'fe80::1', '0.0.0.0', '::', 'ff02::1']) {
      expect(() => gate.assertAddress('host', { address, port: 80, allowLoopback: true }), address).toThrow(
        EgressError,
      );
    }
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
      expect(() => gate.assertAddress('host', { address, port: 8443, allowLoopback: true }), address).toThrow(
        /listener/,
      );
    }
  });

  it('reaches nothing but the listed hosts when a list narrows it', async () => {
    const gate = createEgressGate({ ...policy, onlyHosts: ['10.0.0.1'] });
    expect(() => gate.assertUrl('http://10.0.0.2/')).toThrow(/egressOnlyHosts/);
    expect(gate.assertUrl('http://10.0.0.1/').hostname).toBe('10.0.0.1');
  });
});
