// Two commands lead from a new platform to the first certificate over CMP, SCEP and EST: one of `signetry`, and one of
// a real client, as in the first example of each guide.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { platformOperations, type Operation, type Permission } from '@signetry/contract';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { skipNote, STORY_TIMEOUT_MS, versionOf } from './testing/foreign-programs.ts';
import { limitedUser } from './testing/limited-user.ts';
import { HAS_OPENSSL, OPENSSL_NOTE } from './testing/openssl.ts';
import { createAuthority } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';

const CURL = versionOf('curl');
const SCEPCLIENT = versionOf('scepclient', '-version');
const CLI = fileURLToPath(new URL('../../packages/cli/src/main.cjs', import.meta.url));
const run = promisify(execFile);
const server = sharedTestServer();
const folder = temporaryFolder();

/** Runs the lines in one shell, in which `signetry` and `$ROOT` are set. */
async function shell(...lines: readonly string[]): Promise<string> {
  const { api, token, rootCertificate } = server.ready;
  const flags = `--url ${new URL(api).origin} --token ${token}`;
  const script = [`signetry() { '${process.execPath}' '${CLI}' "$@" ${flags}; }`, 'set -e -o pipefail', ...lines];
  const env = { ...process.env, ROOT: rootCertificate };
  const { stdout, stderr } = await run('bash', ['-c', script.join('\n')], { cwd: folder, env });
  return stdout + stderr;
}

async function certificateIn(file: string): Promise<Certificate> {
  return parseCertificate(readDerOrPem(await readFile(join(folder, file), 'utf8'), ['CERTIFICATE']));
}

const expectInInventory = async ({ serialNumber }: Certificate, commonName: string) => {
  const { certificates } = await server.client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  expect(certificates).toContainEqual(expect.objectContaining({ serialNumber, commonName, state: 'issued' }));
};

describe('two commands on a new platform', { timeout: STORY_TIMEOUT_MS }, () => {
  it.skipIf(!HAS_OPENSSL)(`issue the first certificate over CMP${OPENSSL_NOTE}`, async () => {
    await shell(
      'eval "$(signetry cmp-profiles create devices)"',
      `openssl ecparam -name prime256v1 -genkey -noout | tee device.key |
        openssl cmp -cmd ir -server "$URL" -tls_used -tls_trusted "$ROOT" -ref device -secret "pass:$SECRET" \\
          -recipient /CN=CA -newkey /dev/stdin -subject /CN=device.example -certout device.pem`,
    );
    await expectInInventory(await certificateIn('device.pem'), 'device.example');
  });

  it.skipIf(SCEPCLIENT === undefined)(
    `issue the first certificate over SCEP${skipNote('scepclient', SCEPCLIENT)}`,
    async () => {
      await shell(
        'eval "$(signetry scep-profiles create routers --allow-old-clients)"',
        `scepclient -server-url "$URL" -ca-fingerprint "$FINGERPRINT" -challenge "$SECRET" -cn router-7 \\
          -private-key router-7.key -certificate router-7.pem`,
      );
      await expectInInventory(await certificateIn('router-7.pem'), 'router-7');
    },
  );

  it.skipIf(CURL === undefined || !HAS_OPENSSL)(
    `issue the first certificate over EST${skipNote('curl', CURL)}${OPENSSL_NOTE}`,
    async () => {
      await shell(
        'eval "$(signetry est-profiles create switches)"',
        `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=switch-1 -keyout switch-1.key |
          curl -sS --fail-with-body --cacert "$ROOT" -u "$USER_NAME:$PASSWORD" -H 'Content-Type: application/pkcs10' \\
            --data-binary @- "$URL/simpleenroll" |
          openssl base64 -d | openssl pkcs7 -inform DER -print_certs -out switch-1.pem`,
      );
      await expectInInventory(await certificateIn('switch-1.pem'), 'switch-1');
    },
  );
});

describe('the SCEP RA certificate', () => {
  const raProfileUuid = async () => {
    const profiles = await server.client.raProfiles.listRaProfiles();
    return profiles.find(({ name }) => name === 'default')?.uuid ?? expect.fail('no default profile');
  };

  it('is created once, with a key in a token that stays active, and both key usages', async () => {
    const body = { raProfileUuid: await raProfileUuid() };
    const first = await server.client.scepRaCertificates.ensureScepRaCertificate({ body });
    const second = await server.client.scepRaCertificates.ensureScepRaCertificate({ body });
    expect(second).toEqual({ ...first, created: false, tokenName: undefined, activationCode: undefined });
    const params = { uuid: first.certificateUuid };
    const { keyUsage, fingerprint, raProfile } = await server.client.certificates.getCertificate({ params });
    expect(keyUsage).toEqual(expect.arrayContaining(['digitalSignature', 'keyEncipherment']));
    expect(raProfile?.name).toBe('scep-ra');
    expect(fingerprint).toBe(first.fingerprint);
    const tokens = await server.client.tokens.listTokenInstances();
    expect(tokens.filter(({ name }) => name === 'SCEP RA keys')).toHaveLength(1);
  });

  it('leaves one audit record per object, each as if it had been created separately', async () => {
    const records = await server.running.platform.database.query<{ readonly step: string }>(
      `SELECT resource || ' ' || operation AS step FROM audit_record WHERE operation_result = 'success'`,
    );
    const steps = records.map(({ step }) => step);
    for (const step of ['tokens create', 'tokens activate', 'tokenProfiles create', 'keys create', 'raProfiles create'])
      expect(steps).toContain(step);
  });

  it('of a second authority has its own RA profile, and requires only the declared permissions', async () => {
    const { raProfileUuid: ofSecond } = await createAuthority(server.client, { name: 'Second CA' });
    const { access, also = [] } = platformOperations.ensureScepRaCertificate as Operation;
    const rights = [access as Permission, ...also].map(({ resource, action }) => [resource, action] as const);
    const limited = await limitedUser(server, rights as Parameters<typeof limitedUser>[1]);
    const body = { raProfileUuid: ofSecond };
    const made = await limited.scepRaCertificates.ensureScepRaCertificate({ body });
    expect(made.created).toBe(true);
    // Neither the administrator nor a profile uses this key, which belongs to the other user.
    const own = await server.client.scepRaCertificates.ensureScepRaCertificate({ body });
    expect(own.certificateUuid).not.toBe(made.certificateUuid);
    expect(await limited.scepRaCertificates.ensureScepRaCertificate({ body })).toMatchObject({
      certificateUuid: made.certificateUuid,
      created: false,
    });
  });

  it('is not created in a token of a different connector that has the expected name', async () => {
    const { raProfileUuid: ofThird } = await createAuthority(server.client, { name: 'Third CA' });
    const { database } = server.running.platform;
    await database.query("UPDATE token SET kind = 'OTHER' WHERE name = 'SCEP RA keys'");
    const body = { raProfileUuid: ofThird };
    await expect(server.client.scepRaCertificates.ensureScepRaCertificate({ body })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('SCEP RA keys is not a software token of this platform'),
    });
    await database.query("UPDATE token SET kind = 'SOFT' WHERE name = 'SCEP RA keys'");
    expect((await server.client.scepRaCertificates.ensureScepRaCertificate({ body })).created).toBe(true);
  });

  it('is rejected for an RA profile that does not exist', async () => {
    const body = { raProfileUuid: '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e' };
    await expect(server.client.scepRaCertificates.ensureScepRaCertificate({ body })).rejects.toMatchObject({
      status: 422,
    });
  });
});
