import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { challengeCertificate, type ChallengeCertificateOptions } from './testing/certificates.ts';
import {
  CANARY,
  expectRejection,
  NAME,
  SHORT_LIMIT_MS,
  startTarget,
  startValidation,
  TOKEN,
} from './testing/targets.ts';

const PROTOCOL = 'acme-tls/1';

/** Starts a TLS server with this certificate; the validator must close all its connections. */
async function startTlsTarget(
  options: ChallengeCertificateOptions & { readonly host?: string; readonly tls?: TlsOptions } = {},
) {
  const { cert, key } = await challengeCertificate(options);
  let onSession: (session: object) => void;
  const session = new Promise<object>((resolve) => (onSession = resolve));
  const closed: Promise<void>[] = [];
  const server = createServer({ cert, key, ALPNProtocols: [PROTOCOL], ...options.tls }, (socket: TLSSocket) => {
    onSession({ serverName: socket.servername, protocol: socket.alpnProtocol });
    socket.on('error', () => socket.destroy());
    socket.resume();
  });
  server.on('connection', (socket) => closed.push(new Promise((resolve) => socket.once('close', () => resolve()))));
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    await Promise.all(closed);
  });
  return { port: (server.address() as AddressInfo).port, session }; // Listens on TCP.
}

describe('tls-alpn-01', () => {
  it('accepts the challenge certificate (RFC 8737 §3)', async () => {
    const target = await startTlsTarget();
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    expect(await validate({ type: 'tls-alpn-01' })).toEqual({ ok: true });
    expect(await target.session).toEqual({ serverName: NAME, protocol: PROTOCOL });
  });

  it.each([
    ['127.0.0.1', '1.0.0.127.in-addr.arpa'],
    ['::1', `1.${'0.'.repeat(31)}ip6.arpa`],
  ])('connects to %s with the server name %s (RFC 8738 §6)', async (address, serverName) => {
    const target = await startTlsTarget({ names: [address], host: address });
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    expect(await validate({ type: 'tls-alpn-01', identifier: { type: 'ip', value: address } })).toEqual({ ok: true });
    expect(await target.session).toEqual({ serverName, protocol: PROTOCOL });
  });

  it('rejects a different certificate without quoting it (RFC 8737 §3)', async () => {
    const target = await startTlsTarget({ names: [`${CANARY}.test`] });
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    const expected = { type: 'incorrectResponse', mayChange: false, detail: /subject alternative name/ } as const;
    expectRejection(await validate({ type: 'tls-alpn-01' }), expected);
  });

  it('rejects a certificate for a different challenge (RFC 8737 §3)', async () => {
    const target = await startTlsTarget({ keyAuthorization: `${TOKEN}.${CANARY}` });
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    const expected = {
      type: 'incorrectResponse',
      mayChange: false,
      detail: /the digest in the acmeIdentifier extension does not match the key authorization/,
    } as const;
    expectRejection(await validate({ type: 'tls-alpn-01' }), expected);
  });

  it.each([
    ['does not know the protocol', { ALPNProtocols: ['h2'] }],
    ['knows no protocols at all', { ALPNProtocols: [] }],
    ['speaks TLS 1.1 at best', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
  ] satisfies [string, TlsOptions][])('rejects a server that %s (RFC 8737 §3)', async (_what, tls) => {
    const target = await startTlsTarget({ tls });
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    expectRejection(await validate({ type: 'tls-alpn-01' }), { type: 'tls', mayChange: true });
  });

  it.each([
    ['answers in clear', `HTTP/1.1 400 ${CANARY}\r\n\r\n`],
    ['sends an alert', '\x15\x03\x03\x00\x02\x02\x28'],
    ['closes at once', ''],
  ])('reports a failed handshake if the target %s (RFC 8737 §3)', async (_what, answer) => {
    const target = await startTarget((socket) => void socket.once('data', () => socket.end(answer, 'latin1')));
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port } });
    expectRejection(await validate({ type: 'tls-alpn-01' }), { type: 'tls', mayChange: true, detail: /handshake/ });
  });

  it('abandons a target that accepts the connection but sends nothing (RFC 8555 §10.3)', async () => {
    const target = await startTarget(() => undefined);
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: target.port }, limitMs: SHORT_LIMIT_MS });
    expectRejection(await validate({ type: 'tls-alpn-01' }), { type: 'tls', mayChange: true });
  });

  it('reports if no server is listening (RFC 8737 §3)', async () => {
    const { port } = await startTarget(() => undefined); // Listens on 127.0.0.1, not on ::1.
    const zone = { [NAME]: [{ type: 'AAAA' as const, address: '::1' }] };
    const { validate } = await startValidation({ rules: { tlsAlpn01Port: port }, zone });
    expectRejection(await validate({ type: 'tls-alpn-01' }), {
      type: 'connection',
      mayChange: true,
      detail: /refused/,
    });
  });

  it('never connects to internal addresses (RFC 8555 §10.4)', async () => {
    const { validate } = await startValidation({ zone: { [NAME]: [{ type: 'A', address: '169.254.169.254' }] } });
    expectRejection(await validate({ type: 'tls-alpn-01' }), { type: 'connection', mayChange: false });
  });
});
