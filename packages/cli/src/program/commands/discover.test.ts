// `signetry discover` against servers on loopback, and the import of the certificates found.
import { createServer, type Server } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem } from '@signetry/pki';
import { exportPrivateKey, generateKeyPair } from '@signetry/pki/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, NOW, run } from '../testing/fake-platform.ts';

const DAY_MS = 86_400_000;
const servers: Server[] = [];
let sound: number;
let expired: number;
let pems: readonly string[];

beforeAll(async () => {
  const authority = await createExternalAuthority('CN=Test Root');
  const serve = async (name: string, notAfterMs: number): Promise<{ port: number; pem: string }> => {
    const { privateKey, spki } = await generateKeyPair('P-256');
    const notBeforeMs = NOW - 90 * DAY_MS;
    const leaf = authority.issue({ subject: `CN=${name}`, spki, dnsNames: [name], notBeforeMs, notAfterMs });
    const pem = writePem('CERTIFICATE', leaf);
    const cert = pem + writePem('CERTIFICATE', authority.der);
    const server = createServer({ cert, key: writePem('PRIVATE KEY', exportPrivateKey(privateKey)) });
    server.on('secureConnection', (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return { port: (server.address() as AddressInfo).port, pem };
  };
  const [first, second] = [
    await serve('sound.example', NOW + 60 * DAY_MS + 1_000),
    await serve('expired.example', NOW - 2 * DAY_MS - 1_000),
  ];
  [sound, expired] = [first.port, second.port];
  pems = [first.pem, second.pem];
});
afterAll(() => servers.map((server) => server.close()));

describe('discover', () => {
  it('lists the served certificates, sorted by host and port', async () => {
    const { code, out, err } = await run(['discover', '127.0.0.1', '--ports', `${sound},${expired},1`]);
    expect(code).toBe(0);
    const [heading, ...rows] = out.split('\n').map((line) => line.split(/ {2,}/));
    expect(heading).toEqual(['Endpoint', 'Certificate', 'Valid until', 'Issuer', 'TLS']);
    expect(
      rows.map(([endpoint, name, until, issuer, protocol]) => [
        endpoint,
        name,
        until?.replace(/^\S+ /, ''),
        issuer,
        protocol,
      ]),
    ).toEqual([
      [`127.0.0.1:${sound}`, 'sound.example', '(in 60 days)', 'Test Root', 'TLSv1.3'],
      [`127.0.0.1:${expired}`, 'expired.example', '(2 days ago)', 'Test Root', 'TLSv1.3'],
    ]);
    expect(err).toBe('2 with certificates, 1 without. Use --all to show them.');
  });

  it('shows why all other endpoints serve no certificate, and fails if no certificate is found', async () => {
    const { code, out } = await run(['discover', '127.0.0.1', '--ports', '1', '--all']);
    expect(code).toBe(1);
    expect(out).toContain('connection refused');
  });

  it('includes the whole chain in JSON', async () => {
    const { out } = await run(['discover', '127.0.0.1', '--ports', String(sound), '--json']);
    const [endpoint] = JSON.parse(out) as { chain: { pem: string; subject: string }[] }[];
    expect(endpoint).toMatchObject({ host: '127.0.0.1', port: sound, protocol: 'TLSv1.3' });
    expect(endpoint?.chain.map(({ subject }) => subject)).toEqual(['CN=sound.example', 'CN=Test Root']);
    expect(endpoint?.chain[0]?.pem).toBe(pems[0]);
  });

  it('imports each certificate found, once', async () => {
    const route = 'POST /x/v1/certificates/import';
    const reply = { [route]: { body: { imported: 2, known: 1, refused: 0, refusals: [], findings: [] } } };
    const ports = `${sound},${expired}`;
    const { code, err, asked } = await ask(reply, ['discover', '127.0.0.1', '--ports', ports, '--store']);
    expect(code).toBe(0);
    expect(err).toContain('2 imported, 1 already known, 0 rejected.');
    const [{ body } = { body: undefined }] = asked;
    const { files } = body as { files: { content: string }[] };
    expect(files.map(({ content }) => content)).toEqual(expect.arrayContaining([...pems]));
    expect(files).toHaveLength(3);
  });

  it.each([
    [['10.0.0.0/4'], 'more than'],
    [['a.example', '--ports', 'https'], '--ports'],
    [['a.example', '--parallel', '0'], '--parallel'],
    [['a.example', '--starttls', 'telnet'], '--starttls'],
  ])('rejects %j', async (args, words) => {
    const { code, err } = await run(['discover', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
