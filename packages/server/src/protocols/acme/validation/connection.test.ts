import { connect, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { createEgressGate } from '../../../platform/net/egress.ts';
import { connectTo } from './connection.ts';
import { createDnsLookups } from './dns-lookups.ts';
import { ok, startHttpTarget } from './testing/targets.ts';
import type { Attempt } from './attempt.ts';

function attemptOf(addresses: readonly string[], signal = new AbortController().signal): Attempt {
  return {
    egress: createEgressGate({
      allowLoopback: true,
      // This documentation address is unreachable, as the test requires.
      allowedHosts: ['192.0.2.1'],
      onlyHosts: [],
      isOwnListener: () => false,
    }),
    dns: { ...createDnsLookups(), addresses: async () => ({ records: addresses, nameExists: true }) },
    clock: systemClock,
    rules: {
      resolver: undefined,
      http01Port: 80,
      tlsAlpn01Port: 443,
      allowLoopback: false,
      caaIdentities: [],
      issuerDomainNames: [],
    },
    signal,
    connectTimeoutMs: 40,
    targets: [],
  };
}

describe('connections to validation targets', () => {
  it('use the next address if one does not respond in time (RFC 8555 §8.3)', async () => {
    const { port } = await startHttpTarget(() => ok());
    const silent: Socket[] = [];
    const attempt = attemptOf(['192.0.2.1', '127.0.0.1']);
    const socket = await connectTo(
      { host: 'a.test', port, shownAs: 'a.test' },
      {
        attempt,
        open: (to) => {
          if (to.host === '127.0.0.1') return connect(to);
          // Never gets a response, as on a network that drops all packets.
          silent.push(new Socket());
          return silent[0]!;
        },
      },
    );
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(silent[0]?.destroyed).toBe(true);
    expect(attempt.targets).toEqual([`192.0.2.1 port ${port}`, `127.0.0.1 port ${port}`]);
    socket.destroy();
  });

  it('are destroyed when the attempt ends (RFC 8555 §10.3)', async () => {
    const { port } = await startHttpTarget(() => ok());
    const stop = new AbortController();
    const attempt = attemptOf(['127.0.0.1'], stop.signal);
    const socket = await connectTo({ host: 'a.test', port, shownAs: 'a.test' }, { attempt, open: connect });
    stop.abort();
    expect(socket.destroyed).toBe(true);
  });

  it('are not opened after the attempt has ended (RFC 8555 §10.3)', async () => {
    const attempt = attemptOf(['127.0.0.1'], AbortSignal.abort());
    const opened: Socket[] = [];
    const open = () => {
      opened.push(new Socket());
      return opened[0]!;
    };
    const target = { host: 'a.test', port: 80, shownAs: 'a.test' };
    await expect(connectTo(target, { attempt, open })).rejects.toMatchObject({ problem: { type: 'connection' } });
    expect(opened).toEqual([]);
  });
});
