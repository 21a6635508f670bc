import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { createEgressGate, EgressError, type EgressPolicy } from './egress.ts';

const policy: EgressPolicy = { allowLoopback: false, allowedHosts: [], onlyHosts: [], isOwnListener: () => false };

describe('the egress gate', () => {
  it.each([
    'file:///etc/passwd',
    'gopher://host/',
    'http://user:pw@host/',
    'http://169.254.169.254/latest',
    'http://[::1]:8080/',
    'http://2130706433/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[::ffff:0:169.254.169.254]/',
    'http://168.63.129.16/machine',
  ])('rejects the URL %s before resolving a host name', (url) => {
    expect(() => createEgressGate(policy).assertUrl(url)).toThrow();
  });

  it('rejects a host name that resolves to a loopback address, unless loopback is allowed', async () => {
    await expect(createEgressGate(policy).resolve('localhost', 80)).rejects.toMatchObject({ reason: 'addressClass' });
    await expect(
      createEgressGate({ ...policy, allowLoopback: true }).resolve('localhost', 80),
    ).resolves.not.toHaveLength(0);
  });

  it("checks the connections of its dispatcher, and rejects the platform's own listeners even if loopback is allowed", async () => {
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

  it("checks a single address that the caller resolved; the caller's own permission extends only to loopback", () => {
    const gate = createEgressGate({
      ...policy,
      isOwnListener: (address, port) => `${address}:${port}` === '127.0.0.1:8443',
    });
    expect(() => gate.assertAddress('host', { address: '192.168.2.1', port: 80 })).not.toThrow();
    expect(() => gate.assertAddress('host', { address: '127.0.0.1', port: 80 })).toThrow(EgressError);
    expect(() => gate.assertAddress('host', { address: '127.0.0.1', port: 80, allowLoopback: true })).not.toThrow();
    for (const address of ['169.254.169.254', '169.254.1.1', 'fe80::1', '0.0.0.0', '::', 'ff02::1']) {
      expect(() => gate.assertAddress('host', { address, port: 80, allowLoopback: true }), address).toThrow(
        EgressError,
      );
    }
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:7f00:1', '2002:7f00:1::']) {
      expect(() => gate.assertAddress('host', { address, port: 8443, allowLoopback: true }), address).toThrow(
        /listener/,
      );
    }
  });

  it('connects only to the listed hosts if a list is set', async () => {
    const gate = createEgressGate({ ...policy, onlyHosts: ['10.0.0.1'] });
    expect(() => gate.assertUrl('http://10.0.0.2/')).toThrow(/egressOnlyHosts/);
    expect(gate.assertUrl('http://10.0.0.1/').hostname).toBe('10.0.0.1');
  });
});
