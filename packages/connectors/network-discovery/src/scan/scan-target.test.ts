// Scans of servers on loopback. Each case has its own server with one behavior.
import type { Server, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Target } from '../targets/plan.ts';
import {
  credentialsFor,
  pemOf,
  rawServer,
  tlsServer,
  type Credentials,
  type Listening,
} from '../testing/tls-servers.ts';
import { Politeness } from '@signetry/connector-sdk/discovery';
import { scanTarget, type ScanOptions } from './scan-target.ts';

const TIMEOUT_MS = 700;
const politeness = new Politeness({ ratePerSecond: 1e6, parallelPerHost: 100, ratePerHost: 1e6 });
const options: ScanOptions = { timeoutMs: TIMEOUT_MS, politeness, signal: new AbortController().signal };

const open: Listening[] = [];
const trackServer = async (server: Promise<Listening>): Promise<Listening> => {
  open.push(await server);
  return server;
};
afterAll(() => Promise.all(open.map((server) => server.close())));

const scan = async (
  { port }: Pick<Listening, 'port'>,
  facts: Partial<Target> = {},
  others: Partial<ScanOptions> = {},
) => scanTarget({ host: '127.0.0.1', isName: false, port, ...facts }, { ...options, ...others });
const outcomeOf = async (...given: Parameters<typeof scan>) => {
  const { served, failures } = await scan(...given);
  return served.length > 0 ? served.map(({ protocol }) => protocol) : failures.map(({ kind }) => kind);
};
const hex = (chain: readonly Uint8Array[] = []) => chain.map((der) => Buffer.from(der).toString('hex'));

let one: Credentials;
let other: Credentials;
beforeAll(async () => {
  [one, other] = await Promise.all([credentialsFor('one.example'), credentialsFor('other.example')]);
});

describe('a served chain', () => {
  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)(
    'is returned as sent over %s, including unrelated certificates and the original order',
    async (version) => {
      const sent = [one.leaf, other.root, other.leaf, one.root];
      const cert = sent.map(pemOf).join('');
      const ciphers = 'ALL:@SECLEVEL=0';
      const server = await trackServer(
        tlsServer({ cert, key: one.key, minVersion: version, maxVersion: version, ciphers }),
      );
      const { served } = await scan(server);
      expect(served).toMatchObject([
        { address: '127.0.0.1', protocol: version, cipher: expect.stringMatching(/^TLS_/) },
      ]);
      expect(hex(served[0]?.chain)).toEqual(hex(sent));
    },
  );

  it.each(['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'])(
    'is read under %s, even if it spans multiple records',
    async (cipher) => {
      const cert = [one.leaf, ...Array.from({ length: 60 }, () => other.root)].map(pemOf).join('');
      const server = await trackServer(tlsServer({ cert, key: one.key, ciphers: cipher, minVersion: 'TLSv1.3' }));
      const { served } = await scan(server);
      expect(served[0]).toMatchObject({ protocol: 'TLSv1.3', cipher });
      expect(served[0]?.chain).toHaveLength(61);
    },
  );

  it('is found even if it has expired', async () => {
    const expired = await credentialsFor('expired.example', { expired: true });
    const server = await trackServer(tlsServer({ cert: expired.certificate, key: expired.key }));
    expect(hex((await scan(server)).served[0]?.chain)).toEqual(hex([expired.leaf]));
  });

  it('depends on the server name if the server has more than one certificate', async () => {
    const context = createSecureContext({ cert: other.certificate, key: other.key });
    const server = await trackServer(
      tlsServer({
        cert: one.certificate,
        key: one.key,
        SNICallback: (name, done) => done(null, name === 'other.example' ? context : undefined),
      }),
    );
    expect(hex((await scan(server)).served[0]?.chain)).toEqual(hex([one.leaf]));
    expect(hex((await scan(server, { serverName: 'other.example' })).served[0]?.chain)).toEqual(hex([other.leaf]));
  });

  it('is returned with the stapled OCSP response', async () => {
    const response = Buffer.from('300a0a0100', 'hex');
    const staple = (server: Server): void =>
      void server.on('OCSPRequest', (_der, _issuer, done) => done(null, response));
    const server = await trackServer(tlsServer({ cert: one.certificate, key: one.key }, staple));
    expect(Buffer.from((await scan(server)).served[0]?.ocspResponse ?? [])).toEqual(response);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is found even if the server requires a client certificate (%s)',
    async (version) => {
      const server = await trackServer(
        tlsServer({
          cert: one.certificate,
          key: one.key,
          requestCert: true,
          rejectUnauthorized: true,
          minVersion: version,
          maxVersion: version,
        }),
      );
      expect(hex((await scan(server)).served[0]?.chain)).toEqual(hex([one.leaf]));
    },
  );

  it('is found at each address that a name resolves to', async () => {
    const server = await trackServer(tlsServer({ cert: one.certificate, key: one.key }));
    const { served } = await scan(server, { host: 'localhost', isName: true, serverName: 'localhost' });
    expect(served.map(({ address }) => address)).toContain('127.0.0.1');
  });
});

/** Writes `first`, for example the header of a 16 MiB handshake message, and then its last byte endlessly. */
const endless = (first: Buffer) => (socket: Socket) => {
  socket.write(first);
  const more = Buffer.alloc(16_384, first.at(-1));
  const write = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', write);
  socket.on('data', () => undefined);
  write();
};

describe('a scan ends within the time limit for a peer', () => {
  it.each([
    ['closes at once', (socket: Socket) => void socket.destroy(), 'ended'],
    ['says nothing', () => undefined, 'stalled'],
    ['answers in clear', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'notTls'],
    ['answers garbage without end', endless(Buffer.from('garbage')), 'notTls'],
    ['sends an alert', (socket: Socket) => void socket.write(Buffer.from('15030300020228', 'hex')), 'refusedTls'],
    ['stops in half a record', (socket: Socket) => void socket.write(Buffer.from('16030300ff0200', 'hex')), 'stalled'],
    ['claims a message of sixteen megabytes', endless(Buffer.from('16030340000bffffff', 'hex')), 'notTls'],
  ])('that %s', async (_name, behave, kind) => {
    const server = await trackServer(rawServer(behave));
    const began = performance.now();
    expect(await outcomeOf(server)).toEqual([kind]);
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS + 500);
  });

  it('that sends ten megabytes of certificates', async () => {
    const cert = [one.certificate, ...Array.from({ length: 250 }, () => one.certificate)].join('');
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const server = await trackServer(tlsServer({ cert, key: one.key, minVersion: version, maxVersion: version }));
      expect(await outcomeOf(server)).toEqual(['tooMuch']);
    }
  });

  it('that sends one byte at a time', async () => {
    const server = await trackServer(
      rawServer((socket) => {
        socket.write(Buffer.from('1603034000', 'hex'));
        const timer = setInterval(() => socket.write('\0'), 10);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    expect(await outcomeOf(server)).toEqual(['stalled']);
  });

  it('that sends empty records forever', async () => {
    const record = Buffer.from('1403030001011603030000', 'hex');
    const server = await trackServer(rawServer(endless(Buffer.concat(Array.from({ length: 100 }, () => record)))));
    const [kind] = await outcomeOf(server);
    expect(kind).toBe('tooMuch');
  });

  it('that sends 100,000 empty messages, which OpenSSL would parse for seconds', async () => {
    const server = await trackServer(
      rawServer(
        (socket) => void socket.write(Buffer.concat([Buffer.from('1603034000', 'hex'), Buffer.alloc(400_000)])),
      ),
    );
    const began = performance.now();
    expect(await outcomeOf(server)).toEqual(['tooMuch']);
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS);
  });

  it('that does not listen', async () => {
    const server = await rawServer(() => undefined);
    await server.close();
    expect(await outcomeOf(server)).toEqual(['refused']);
  });

  it('whose name has no address', async () => {
    expect(await outcomeOf({ port: 443 }, { host: 'no.such.name.invalid', isName: true })).toEqual(['unresolved']);
  });

  it('at a blocked address, which is not contacted', async () => {
    const server = await trackServer(tlsServer({ cert: one.certificate, key: one.key }));
    const assertAddress = (): never => {
      throw new Error('Not that one.');
    };
    const { failures } = await scan(server, {}, { assertAddress });
    expect(failures).toMatchObject([{ kind: 'notAllowed', message: 'Not that one.' }]);
    expect(server.taken()).toBe(0);
  });

  it('whose scan is aborted', async () => {
    const server = await trackServer(rawServer(() => undefined));
    const stopping = new AbortController();
    const began = performance.now();
    const scanning = scan(server, {}, { signal: stopping.signal, timeoutMs: 60_000 });
    stopping.abort(new Error('Stopped.'));
    await expect(scanning).rejects.toThrow('Stopped.');
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
