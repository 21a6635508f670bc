import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../areas/identity/testing/gatekeeper-fixture.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { listenHttps, listenerUrl, parseAddress, servedHosts } from './listeners.ts';

describe('listeners', () => {
  it('parse addresses with host names, IPv4 and IPv6', () => {
    expect(parseAddress('127.0.0.1:8080')).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(parseAddress('[::1]:0')).toEqual({ host: '::1', port: 0 });
    expect(parseAddress('off')).toBeUndefined();
  });

  it('are converted to URLs that a client on this machine can use', () => {
    expect(listenerUrl('http', { host: '0.0.0.0', port: 8080 })).toBe('http://127.0.0.1:8080');
    expect(listenerUrl('https', { host: '::1', port: 443 })).toBe('https://[::1]');
  });

  it('accept only their own host names, to prevent DNS rebinding', () => {
    const { isServed } = servedHosts(
      [{ host: '127.0.0.1', port: 8080 }],
      ['https://ca.example:8443', undefined, 'http://crl.example'],
    );
    const own = ['localhost:8080', '127.0.0.1', '[::1]:8080', 'ca.example', 'CA.example:8443', 'crl.example'];
    expect(own.every(isServed)).toBe(true);
    expect(['evil.example', '10.0.0.1', ''].some(isServed)).toBe(false);
  });

  it('accept any IP address as the host when they are bound to all addresses', () => {
    const { isServed } = servedHosts([{ host: '0.0.0.0', port: 8080 }], []);
    expect(isServed('10.1.2.3:8080')).toBe(true);
    expect(isServed('evil.example')).toBe(false);
  });
});

describe('the HTTPS listener', async () => {
  const server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault: () => undefined });
  await server.ready();
  const tls = await selfSigned('CN=localhost');
  const https = await listenHttps(server, { host: '127.0.0.1', port: 0 }, tls);
  afterAll(async () => {
    https.server.close();
    https.server.closeAllConnections();
    await server.close();
  });

  const open = (options: ConnectionOptions): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const { port } = https.address;
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options }, () => resolve(socket));
      socket.once('error', reject);
    });

  it.each(['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES128-GCM-SHA256'])(
    'does not support %s because authenticated encryption and forward secrecy are required',
    async (ciphers) => {
      await expect(open({ ciphers, maxVersion: 'TLSv1.2' })).rejects.toThrow(/handshake failure/);
    },
  );

  it('supports only TLS 1.2 and 1.3', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await open({ minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      expect(socket.getCipher().standardName).toMatch(/GCM|POLY1305/);
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(open(old)).rejects.toThrow();
  });

  it('requests client certificates, unless this is turned off', async () => {
    const other = await listenHttps(server, { host: '127.0.0.1', port: 0 }, { ...tls, requestCert: false });
    onTestFinished(() => void other.server.close());
    const receivedBy = async (listener: typeof https): Promise<boolean> => {
      const accepted = once(listener.server, 'secureConnection') as Promise<TLSSocket[]>;
      const client = await open({ port: listener.address.port, cert: tls.cert, key: tls.key });
      const [socket] = await accepted;
      client.destroy();
      return socket?.getPeerX509Certificate() !== undefined;
    };
    expect([await receivedBy(https), await receivedBy(other)]).toEqual([true, false]);
  });

  it('names its own flag if its address is in use', async () => {
    const again = listenHttps(server, https.address, { ...tls, flag: '--scep-https' });
    await expect(again).rejects.toThrow(/in use by another program.* --scep-https HOST:PORT/);
  });

  it('closes a connection if the handshake does not finish in time', async () => {
    const hasty = await listenHttps(server, { host: '127.0.0.1', port: 0 }, { ...tls, handshakeMs: 200 });
    onTestFinished(() => void hasty.server.close());
    const socket = connectPlain({ host: '127.0.0.1', port: hasty.address.port });
    await once(socket, 'connect');
    // Beginning of a ClientHello.
    socket.write(Buffer.from('1603010200010001fc0303', 'hex'));
    const startMs = performance.now();
    await once(socket.resume(), 'close');
    // HTTP timeouts are longer: 10 s and more.
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('rejects non-HTTP input with an API error response', async () => {
    const socket = await open({});
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('good morning\r\n\r\n');
    await once(socket, 'end');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]+\{"code":"BAD_REQUEST","message":"[^"]+"\}$/);
    socket.destroy();
  });
});
