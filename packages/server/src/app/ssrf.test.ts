// Every outgoing path of the platform against every target that must be unreachable. All paths share one gate, so a
// target that only one of them can reach reveals a gap in the rules of that path.
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { isLocalOnly } from './area-options.ts';
import { reachableAddresses } from '../protocols/acme/validation/reachable-addresses.ts';
import { createDiscoveryEgress } from '../platform/net/discovery-egress.ts';
import { createEgressGate, EgressError } from '../platform/net/egress.ts';

const OWN = { address: '10.0.0.1', port: 8443 };

/** Configured like a server behind a reverse proxy on the same machine that allows one connector there. */
const gate = createEgressGate({
  allowLoopback: false,
  allowedHosts: ['127.0.0.1:9000', '169.254.7.7'],
  onlyHosts: [],
  isOwnListener: (address, port) => address === OWN.address && port === OWN.port,
});
const behindProxy = isLocalOnly(
  { publicUrl: 'https://pki.example' },
  { http: { host: '127.0.0.1', port: 8080 }, https: { host: '::1', port: 8443 } },
);

interface Target {
  readonly host: string;
  readonly port: number;
}

/** Each returns the reason for blocking the target, or `reached`. */
const ways: Readonly<Record<string, (target: Target) => Promise<string>>> = {
  'a connector, webhook or CRL': async ({ host, port }) => {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
    const dispatcher = gate.dispatcher({ connectTimeoutMs: 1_000 });
    const failure = await request(url, { dispatcher }).catch((error: unknown) => error);
    return failure instanceof EgressError ? failure.reason : 'reached';
  },
  'a TLS endpoint that is resolved first': async ({ host, port }) =>
    gate.resolve(host, port).then(
      () => 'reached',
      (error: unknown) => (error as EgressError).reason,
    ),
  'http-01 and tls-alpn-01': async ({ host, port }) => {
    const attempt = {
      egress: gate,
      dns: { addresses: async () => ({ records: ['127.0.0.1'], nameExists: true }) },
      rules: { allowLoopback: behindProxy, resolver: undefined },
      targets: [],
    } as unknown as Parameters<typeof reachableAddresses>[1]; // Only the members that are read before a connection.
    return reachableAddresses({ host, port, shownAs: host }, attempt).then(
      () => 'reached',
      () => 'addressClass',
    );
  },
  'a discovery': async ({ host, port }) => {
    try {
      const address = host === 'localhost' ? '127.0.0.1' : host;
      createDiscoveryEgress(gate, []).assertAddress(host, { address, port });
      return 'reached';
    } catch (error) {
      return (error as EgressError).reason;
    }
  },
};

const CLOSED: readonly Target[] = [
  '127.0.0.1', '127.0.0.2', '127.255.255.254', 'localhost', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1',
  '::ffff:0:127.0.0.1', '2002:7f00:1::', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '0.0.0.0', '::',
  '169.254.169.254', '169.254.1.1', '::ffff:169.254.169.254', '2002:a9fe:a9fe::', '64:ff9b::a9fe:a9fe', 'fe80::1',
  '168.63.129.16', '100.100.100.200', 'fd00:ec2::254', '224.0.0.1', 'ff02::1', '255.255.255.255', '192.0.2.1',
].flatMap((host) => [22, 80, 443, 5432, 8080].map((port) => ({ host, port }))); // prettier-ignore

describe.each(Object.entries(ways))('%s', (_way, outcomeOf) => {
  it('cannot reach this machine, link-local addresses or cloud metadata', async () => {
    const reached: string[] = [];
    for (const target of CLOSED)
      if ((await outcomeOf(target)) === 'reached') reached.push(`${target.host} ${target.port}`);
    expect(reached).toEqual([]);
  });
});

describe('an allowed host', () => {
  const outcomesByWay = async (target: Target) =>
    Object.fromEntries(
      await Promise.all(Object.entries(ways).map(async ([way, outcomeOf]) => [way, await outcomeOf(target)] as const)),
    );

  it('with a port opens that port to every kind of outgoing connection', async () => {
    expect(Object.values(await outcomesByWay({ host: '127.0.0.1', port: 9000 }))).toEqual(Array(4).fill('reached'));
    expect(Object.values(await outcomesByWay({ host: '127.0.0.1', port: 9001 }))).toEqual(
      Array(4).fill('addressClass'),
    );
  });

  it('without a port opens every port to configured targets, but only ports 80 and 443 to discoveries', () => {
    const discovery = createDiscoveryEgress(gate, []);
    for (const port of [22, 80, 443, 9000]) {
      const target = { address: '169.254.7.7', port };
      expect(() => gate.assertAddress('169.254.7.7', target), String(port)).not.toThrow();
      const scan = () => discovery.assertAddress('169.254.7.7', target);
      if (port === 80 || port === 443) expect(scan, String(port)).not.toThrow();
      else expect(scan, String(port)).toThrow(/egressAllowedHosts/);
    }
  });
});

describe('loopback', () => {
  it.each([
    [undefined, '127.0.0.1', true],
    [undefined, '0.0.0.0', false],
    ['https://pki.example', '127.0.0.1', false],
    ['https://pki.example', '0.0.0.0', false],
  ])(
    'is an allowed validation target if the public URL is %s and the listeners are on %s: %s',
    (publicUrl, host, expected) => {
      const http = { host, port: 8080 };
      expect(isLocalOnly({ publicUrl }, { http, https: undefined })).toBe(expected);
    },
  );
});
