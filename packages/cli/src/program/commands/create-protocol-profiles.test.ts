// Creation of protocol profiles: requests to the platform, and the values that clients need.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const raProfile = { uuid, name: 'default', enabled: true, authorityInstanceUuid: uuid };
const raCertificate = { certificateUuid: uuid, fingerprint: 'ab'.repeat(32), created: true };
const SECRET = /^(?:SECRET|PASSWORD)=[0-9a-z]{32}$/;

const replies: Replies = {
  'GET /v1/raProfiles': { body: [raProfile] },
  'POST /v1/cmpProfiles': { body: { uuid, cmpUrl: 'https://ca.test/api/v1/protocols/cmp/devices' } },
  [`PATCH /v1/cmpProfiles/${uuid}/enable`]: { status: 204 },
  'POST /x/v1/scepRaCertificates': {
    body: { ...raCertificate, tokenName: 'SCEP RA keys', activationCode: 'code-of-token' },
  },
  'POST /v1/scepProfiles': { body: { uuid, scepUrl: 'http://ca.test/scep/devices/pkiclient.exe' } },
  [`PATCH /v1/scepProfiles/${uuid}/enable`]: { status: 204 },
  [`GET /v1/certificates/${uuid}`]: { body: { uuid, fingerprint: 'cd'.repeat(32) } },
  'POST /x/v1/estProfiles': { status: 201, body: { uuid } },
  [`PATCH /x/v1/estProfiles/${uuid}/enable`]: { status: 204 },
  [`GET /x/v1/estProfiles/${uuid}`]: { body: { uuid, url: 'https://ca.test/.well-known/est/devices' } },
};

async function create(args: readonly string[], secret?: string) {
  const platform = await startFakePlatform(replies);
  const file = join(platform.data, 'secret');
  if (secret !== undefined) writeFileSync(file, `${secret}\n`);
  const ran = await run([...args, ...(secret === undefined ? [] : ['--secret-file', file]), '--data', platform.data]);
  const bodyOf = (path: string) =>
    platform.asked.find((each) => each.method === 'POST' && each.path.endsWith(path))?.body;
  return { ...ran, asked: platform.asked.map(({ method, path }) => `${method} ${path}`), bodyOf };
}

describe('a new profile', () => {
  it('for CMP has a random secret, which is printed with the URL, and is enabled', async () => {
    const { code, out, err, asked, bodyOf } = await create(['cmp-profiles', 'create', 'devices']);
    expect(code).toBe(0);
    const [url, secret] = out.trim().split('\n');
    expect([url, secret]).toEqual(['URL=https://ca.test/api/v1/protocols/cmp/devices', expect.stringMatching(SECRET)]);
    expect(bodyOf('/cmpProfiles')).toMatchObject({
      name: 'devices',
      raProfileUuid: uuid,
      sharedSecret: secret?.split('=')[1],
    });
    expect(asked.at(-1)).toContain('/enable');
    expect(err).toBe(
      'Created and enabled CMP profile "devices" under RA profile "default". The shared secret is not shown again.',
    );
  });

  it('for SCEP uses a new RA certificate, and shows the activation code of its token', async () => {
    const args = ['scep-profiles', 'create', 'devices', '--allow-old-clients'];
    const { out, err, bodyOf } = await create(args);
    expect(out).toContain(`FINGERPRINT=${raCertificate.fingerprint}`);
    expect(err).toContain(
      'Token "SCEP RA keys" stays active across restarts; store its activation code: code-of-token.',
    );
    expect(bodyOf('/scepRaCertificates')).toEqual({ raProfileUuid: uuid });
    expect(bodyOf('/scepProfiles')).toMatchObject({ caCertificateUuid: uuid, allowOldClients: true });
  });

  it('is printed with all values as JSON', async () => {
    const { out } = await create(['scep-profiles', 'create', 'devices', '--json']);
    expect(JSON.parse(out)).toEqual({
      uuid,
      name: 'devices',
      url: 'http://ca.test/scep/devices/pkiclient.exe',
      fingerprint: raCertificate.fingerprint,
      secret: expect.stringMatching(/^[0-9a-z]{32}$/),
      tokenName: 'SCEP RA keys',
      activationCode: 'code-of-token',
    });
  });

  it('for SCEP uses the specified RA certificate', async () => {
    const { out, asked } = await create(['scep-profiles', 'create', 'devices', '--certificate', uuid]);
    expect(out).toContain(`FINGERPRINT=${'cd'.repeat(32)}`);
    expect(asked.join()).not.toContain('scepRaCertificates');
  });

  it('for EST has a user whose name is quoted for the shell', async () => {
    const { out, bodyOf } = await create(['est-profiles', 'create', 'devices', '--user', "it's $HOME"]);
    expect(out.split('\n')).toContain(String.raw`USER_NAME='it'\''s $HOME'`);
    expect(bodyOf('/estProfiles')).toMatchObject({ users: [{ username: "it's $HOME" }] });
  });

  it('does not print a secret from a file, and rejects a short one', async () => {
    const { code, out } = await create(['cmp-profiles', 'create', 'devices'], 'a secret of the factory');
    expect([code, out.trim()]).toEqual([0, 'URL=https://ca.test/api/v1/protocols/cmp/devices']);
    const short = await create(['cmp-profiles', 'create', 'devices'], 'short');
    expect(short.code).toBe(2);
    expect(short.err).toContain('must have at least 16');
    expect(short.asked).toEqual([]);
  });
});
