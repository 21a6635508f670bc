// Server-side key generation for devices that cannot generate good keys (RFC 7030 §4.4), over a real TLS connection.
import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { randomUUID, createPublicKey } from 'node:crypto';
import type { Client } from '@signetry/client';
import { parseCertificate, readPkcs7, type Certificate } from '@signetry/pki';
import { importPrivateKey } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRequest } from '../load/requests.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const [USER, PASSWORD] = ['device', 'canary-password-of-the-device'];
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

/** Name of an enabled profile. */
async function serve(settings: object): Promise<string> {
  const name = `est-${randomUUID()}`;
  const { raProfileUuid } = path;
  const users = [{ username: USER, password: PASSWORD }];
  const { uuid } = await client.estProfiles.createEstProfile({ body: { name, raProfileUuid, users, ...settings } });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid: uuid } });
  return name;
}

interface HttpResponse {
  readonly status: number | undefined;
  readonly media: string;
  readonly body: string;
}

function ask(profile: string, request: string, auth = `${USER}:${PASSWORD}`): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const url = new URL(`/.well-known/est/${profile}/serverkeygen`, server.ready.https ?? undefined);
    const ca = readFileSync(server.ready.rootCertificate);
    const headers = { 'content-type': 'application/pkcs10' };
    const sent = httpsRequest(url, { method: 'POST', ca, auth, headers }, (response) => {
      const media = response.headers['content-type'] ?? '';
      const read = (body: Buffer) => resolve({ status: response.statusCode, media, body: body.toString() });
      buffer(response).then(read, reject);
    });
    sent.on('error', reject).end(request);
  });
}

/** Parts of a multipart body, by media type. */
function partsOf({ media, body }: HttpResponse): ReadonlyMap<string, Buffer> {
  const boundary = /^multipart\/mixed; boundary=(\S+)$/.exec(media)?.[1] ?? expect.fail(media);
  const [before, ...parts] = body.split(`--${boundary}`);
  expect([before, parts.at(-1)]).toEqual(['', '--\r\n']);
  return new Map(
    parts.slice(0, -1).map((part) => {
      const [head = '', content = ''] = part.split('\r\n\r\n');
      expect(head).toContain('Content-Transfer-Encoding: base64');
      return [/Content-Type: ([\w/-]+)/.exec(head)?.[1] ?? '', Buffer.from(content, 'base64')];
    }),
  );
}

const countOf = async (commonName: string): Promise<number> => {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.filter((each) => each.commonName === commonName).length;
};

describe('serverkeygen', () => {
  it('returns a new key of the requested type with its certificate, and does not store the key', async () => {
    const profile = await serve({ serverKeys: true });
    const request = await makeRequest('printer-1');
    const answer = await ask(profile, request);
    expect(answer).toMatchObject({ status: 200 });
    const parts = partsOf(answer);
    const key = await importPrivateKey(parts.get('application/pkcs8') ?? expect.fail('no key'));
    const [der] = readPkcs7(parts.get('application/pkcs7-mime') ?? expect.fail('no certificate'));
    const certificate: Certificate = parseCertificate(der ?? expect.fail('no certificate'));
    const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
    expect(spki.equals(Buffer.from(certificate.spki))).toBe(true);
    expect([certificate.publicKey.curve, certificate.subjectAltNames]).toEqual([
      'P-256',
      [expect.objectContaining({ value: 'printer-1.bench.example' })],
    ]);
    // A repeated request gets a different key, since the first one was not stored.
    const again = partsOf(await ask(profile, request)).get('application/pkcs8');
    expect(again?.equals(parts.get('application/pkcs8') ?? Buffer.alloc(0))).toBe(false);
  });

  it('is rejected if the profile does not allow it, without the password, or with anything other than a CSR', async () => {
    const [allowed, other] = [await serve({ serverKeys: true }), await serve({})];
    const request = await makeRequest('printer-2');
    expect(await ask(other, request)).toMatchObject({
      status: 501,
      body: expect.stringContaining('does not generate keys'),
    });
    expect(await ask(allowed, request, 'device:guessed')).toMatchObject({ status: 401 });
    expect(await ask(allowed, 'bm9uc2Vuc2U=')).toMatchObject({ status: 400 });
    expect(await countOf('printer-2.bench.example')).toBe(0);
  });

  it('cannot be enabled in a profile with manual approval', async () => {
    const made = serve({ serverKeys: true, manualApproval: true });
    await expect(made).rejects.toThrow(/serverKeys: generated keys are not stored/);
  });
});
