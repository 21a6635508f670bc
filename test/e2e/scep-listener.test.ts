// The HTTPS listener for SCEP: it requests no client certificate, serves nothing else, and devices are shown its URL.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { IncomingMessage } from 'node:http';
import { parseCertificate, readPkcs7 } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, expect, it } from 'vitest';
import { runForeign, succeed } from './testing/foreign-programs.ts';
import { HAS_OPENSSL, OPENSSL_NOTE } from './testing/openssl.ts';
import { defaultProfile } from './testing/profiles.ts';
import { readResponse } from './testing/scep-client.ts';
import { makeDevice, makeMessage, requestOf } from './testing/scep-messages.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';

const server = sharedTestServer({ args: ['--scep-https=127.0.0.1:0'] });
let root: string;
let url: string;
let origin: string;

beforeAll(async () => {
  const { client } = server;
  root = await readFile(server.ready.rootCertificate, 'utf8');
  const path = await defaultProfile(client);
  const caCertificateUuid = await makeScepCertificate(client, path);
  ({ url } = await addScepProfile(client, { caCertificateUuid, raProfileUuid: path.raProfileUuid }));
  ({ origin } = new URL(url));
});

async function ask(target: string, body?: Uint8Array): Promise<Response> {
  const sent = request(target, { ca: root, method: body ? 'POST' : 'GET', agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  sent.end(body);
  const received = await response;
  const { statusCode: status = 0, headers } = received;
  return new Response(await buffer(received), { status, headers: { 'content-type': headers['content-type'] ?? '' } });
}

it('is shown to devices, and issues certificates', async () => {
  expect(origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(origin).not.toBe(server.ready.https);
  const certificates = Buffer.from(await (await ask(`${url}?operation=GetCACert`)).arrayBuffer());
  const [ca = expect.fail('no CA certificate')] = readPkcs7(certificates).map((der) => parseCertificate(der));
  const device = await makeDevice('CN=device.example');
  const message = await makeMessage({
    type: 'PKCSReq',
    transactionId: randomUUID(),
    content: requestOf(device),
    signer: device,
    recipient: ca,
  });
  const answer = await readResponse(await ask(`${url}?operation=PKIOperation`, message), {
    message,
    signer: device,
    ca,
  });
  expect(['success', 'pending']).toContain(answer.status);
});

it.each([
  '/',
  '/api/v1/certificates',
  '/api/docs',
  '/metrics',
  '/.well-known/est/cacerts',
  '/api/v1/protocols/acme/default/directory',
])('does not serve %s', async (path) => {
  expect((await ask(`${origin}${path}`)).status).toBe(404);
});

it('has the certificate of the HTTPS listener', async () => {
  const fingerprints = await Promise.all(
    [origin, server.ready.https].map(async (each) => {
      const { hostname: host, port } = new URL(each);
      const socket = connect({ host, port: Number(port), ca: root });
      await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    }),
  );
  expect(fingerprints[0]).toBe(fingerprints[1]);
});

const SCEP_SUBMIT = '/usr/lib/certmonger/scep-submit';
const HAS_SCEP_SUBMIT = existsSync(SCEP_SUBMIT);
const SCEP_SUBMIT_NOTE = HAS_SCEP_SUBMIT ? '' : ` (skipped: no ${SCEP_SUBMIT})`;

it.runIf(HAS_SCEP_SUBMIT)(`is usable by certmonger's helper${SCEP_SUBMIT_NOTE}`, async () => {
  const submit = (flag: string) =>
    succeed(SCEP_SUBMIT, ['-u', url, '-R', server.ready.rootCertificate, flag], { folder: server.directory });
  expect(await submit('-c')).toContain('SCEPStandard');
  expect(await submit('-C')).toContain('BEGIN CERTIFICATE');
});

it.runIf(HAS_OPENSSL)(`requests no client certificate, unlike the HTTPS listener${OPENSSL_NOTE}`, async () => {
  const isRequestedBy = async (target: string): Promise<boolean> => {
    const args = ['s_client', '-connect', new URL(target).host, '-CAfile', server.ready.rootCertificate, '-msg'];
    const { code, output } = await runForeign('openssl', args, { folder: server.directory });
    expect([code, output]).toEqual([0, expect.stringContaining('Verify return code: 0 (ok)')]);
    return output.includes('CertificateRequest');
  };
  expect([await isRequestedBy(origin), await isRequestedBy(server.ready.https)]).toEqual([false, true]);
});
