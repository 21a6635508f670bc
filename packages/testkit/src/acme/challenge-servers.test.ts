import { once } from 'node:events';
import { connect } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findExtension, formatGeneralName, OID, parseCertificate, readAltNames, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { serverNameOf } from './alpn-certificate.ts';
import {
  startHttpChallengeServer,
  startTlsAlpnChallengeServer,
  type TlsAlpnChallengeServerOptions,
} from './challenge-servers.ts';

describe('the http-01 responder', () => {
  async function startServer() {
    const server = await startHttpChallengeServer();
    onTestFinished(server.stop);
    const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual' });
    return { server, get };
  }

  it('serves the configured tokens, and records requests', async () => {
    const { server, get } = await startServer();
    server.serve('token', 'token.thumbprint');
    expect(await (await get('/.well-known/acme-challenge/token')).text()).toBe('token.thumbprint');
    expect((await get('/.well-known/acme-challenge/other')).status).toBe(404);
    expect((await get('/token')).status).toBe(404);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      path: '/.well-known/acme-challenge/token',
      host: `127.0.0.1:${server.port}`,
    });
  });

  it('misbehaves as configured until it is reset', async () => {
    const { server, get } = await startServer();
    server.misbehave((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end());
    expect((await get('/.well-known/acme-challenge/token')).headers.get('location')).toBe('http://169.254.169.254/');
    server.misbehave();
    expect((await get('/.well-known/acme-challenge/token')).status).toBe(404);
  });

  it('stops even if a client is still waiting', async () => {
    const { server, get } = await startServer();
    const asked = new Promise<void>((resolve) => server.misbehave(() => resolve()));
    const waiting = get('/').catch((error: unknown) => error);
    await asked;
    await server.stop();
    expect(await waiting).toBeInstanceOf(Error);
  });
});

describe('the tls-alpn-01 responder', () => {
  async function startServer(options: TlsAlpnChallengeServerOptions = {}) {
    const server = await startTlsAlpnChallengeServer(options);
    onTestFinished(server.stop);
    const handshake = async (name: string, more: ConnectionOptions = {}): Promise<Certificate> => {
      const socket = await connectTls({
        port: server.port,
        host: '127.0.0.1',
        servername: serverNameOf(name),
        ALPNProtocols: ['acme-tls/1'],
        rejectUnauthorized: false, // self-signed, as the protocol requires
        ...more,
      });
      const certificate = parseCertificate(socket.getPeerCertificate().raw);
      expect(socket.alpnProtocol).toBe('acme-tls/1');
      // In TLS 1.3, the client is ready before the server, which closes the connection once it is.
      await once(socket.resume(), 'close');
      return certificate;
    };
    return { server, handshake };
  }

  const connectTls = (options: ConnectionOptions): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect(options, () => resolve(socket)).on('error', reject);
    });

  const altNames = ({ extensions }: Certificate): string[] =>
    readAltNames(findExtension(extensions, OID.subjectAltName)!.value).map(formatGeneralName);

  it.each([
    ['www.example', 'www.example'],
    ['127.0.0.1', '1.0.0.127.in-addr.arpa'],
    ['2001:db8::1', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ])('proves control of %s with the certificate defined in RFC 8737 §3', async (name, serverName) => {
    const { server, handshake } = await startServer();
    server.serve(name, 'token.thumbprint');
    const certificate = await handshake(name);
    expect(altNames(certificate)).toEqual([name]);
    const identifier = findExtension(certificate.extensions, OID.acmeIdentifier)!;
    const digest = nodeCrypto.sha256(Buffer.from('token.thumbprint'));
    expect(identifier.critical).toBe(true);
    expect(Buffer.from(identifier.value).toString('hex')).toBe(`0420${Buffer.from(digest).toString('hex')}`);
    expect(server.connections).toEqual([{ serverName, protocol: 'acme-tls/1' }]);
  });

  it('presents certificates that prove nothing if it is configured to', async () => {
    const { server, handshake } = await startServer();
    server.serve('a.example', 'x', { names: ['a.example', 'b.example'], identifierIs: 'not critical' });
    const certificate = await handshake('a.example');
    expect(altNames(certificate)).toEqual(['a.example', 'b.example']);
    expect(findExtension(certificate.extensions, OID.acmeIdentifier)?.critical).toBe(false);
    server.serve('a.example', 'x', { identifierIs: 'absent', names: [] });
    expect((await handshake('a.example')).extensions).toEqual([]);
  });

  it('rejects other names and other protocols', async () => {
    const { server, handshake } = await startServer();
    server.serve('a.example', 'x');
    await expect(handshake('b.example')).rejects.toThrow();
    await expect(handshake('a.example', { ALPNProtocols: ['http/1.1'] })).rejects.toThrow(/no application protocol/);
    const other = await startServer({ protocols: ['h2'] });
    other.server.serve('a.example', 'x');
    await expect(other.handshake('a.example')).rejects.toThrow(/no application protocol/);
    expect(server.connections).toEqual([]);
  });

  it('can misbehave before the TLS handshake begins', async () => {
    const { server, handshake } = await startServer();
    server.serve('a.example', 'x');
    server.misbehave((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(handshake('a.example')).rejects.toThrow();
    server.misbehave();
    await expect(handshake('a.example')).resolves.toBeDefined();
  });
});
