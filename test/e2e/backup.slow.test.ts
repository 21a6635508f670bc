// Backups as described in the guide: a copied data directory, or a copied database with the sealing key, continues
// elsewhere as the same platform.
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { startTestServer, type TestServer } from '@signetry/testkit/platform';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { issue, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp, fetchCrl, serialsIn } from './testing/downloads.ts';
import { defaultProfile } from './testing/profiles.ts';
import { runProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const folder = temporaryFolder();
const copy = promisify(execFile);
/** Preserves owners and modes, as the guide specifies. */
const copyDirectory = (from: string, to: string) => copy('cp', ['-a', from, to]);

const issueFor = async (server: TestServer, name: string): Promise<IssuedCertificate> =>
  issue(server.client, await defaultProfile(server.client), await makeRequest({ subject: `CN=${name}` }));

/** Revokes a certificate and returns the number of the first CRL that lists it. */
async function revokeAndPublish(server: TestServer, { uuid, x509 }: IssuedCertificate): Promise<bigint> {
  const path = await defaultProfile(server.client);
  const root = await rootOf(server.ready);
  await server.client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid: uuid },
    body: { reason: 'superseded', attributes: [] },
  });
  return vi.waitFor(
    async () => {
      const crl = await fetchCrl(downloadUrlsOf(server.ready, path.authorityUuid).crl, root.raw);
      expect(serialsIn(crl)).toContain(x509.serialNumber.toLowerCase().replace(/^0+/, ''));
      return crl.crlNumber ?? 0n;
    },
    { timeout: 10_000, interval: 100 },
  );
}

const statusAt = async (server: TestServer, { der }: IssuedCertificate): Promise<string> => {
  const { authorityUuid } = await defaultProfile(server.client);
  const issuer = (await rootOf(server.ready)).raw;
  return askOcsp(downloadUrlsOf(server.ready, authorityUuid).ocsp, { certificate: der, issuer });
};

describe('a data directory copied while the platform was stopped', () => {
  const [original, backup] = [join(folder, 'original'), join(folder, 'backup')];
  let good: IssuedCertificate;
  let revoked: IssuedCertificate;
  let later: IssuedCertificate;
  let lastNumber: bigint;
  let token: string;
  let root: string;

  it('is copied from an ordinary installation, which keeps running afterwards', async () => {
    const first = await startTestServer({ directory: original, keepData: true });
    [good, revoked] = [await issueFor(first, 'good.example'), await issueFor(first, 'revoked.example')];
    await revokeAndPublish(first, revoked);
    ({ token } = await first.client.accessTokens.createAccessToken({ body: { name: 'kept' } }));
    root = (await rootOf(first.ready)).fingerprint256;
    await first.stop();
    await copyDirectory(original, backup);

    const second = await startTestServer({ directory: original, keepData: true });
    later = await issueFor(second, 'after-the-backup.example');
    lastNumber = await revokeAndPublish(second, later);
    await second.stop();
  });

  it('works on a different machine with the same root, certificates, users and tokens', async () => {
    const restored = await startTestServer({ directory: backup, keepData: true });
    const { client } = restored;
    expect((await rootOf(restored.ready)).fingerprint256).toBe(root);
    const detail = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });
    expect(await detail(good.uuid)).toMatchObject({ state: 'issued', serialNumber: expect.any(String) });
    expect(await detail(revoked.uuid)).toMatchObject({ state: 'revoked' });
    expect((await restored.clientOf(token).auth.getUserProfile()).username).toBe('admin');
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true });

    expect(await statusAt(restored, good)).toBe('good');
    expect(await statusAt(restored, revoked)).toBe('revoked');
    expect(await statusAt(restored, later)).toBe('unknown');
    const fresh = await issueFor(restored, 'after-the-restore.example');
    expect(fresh.x509.verify((await rootOf(restored.ready)).publicKey)).toBe(true);
    // CRL numbers are derived from the clock in seconds. Only in this test can a restore be faster than that.
    await vi.waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(Number(lastNumber) + 1), { timeout: 10_000 });
    expect(await revokeAndPublish(restored, fresh)).toBeGreaterThan(lastNumber);
    expect(await statusAt(restored, fresh)).toBe('revoked');
    await restored.stop();
  });

  it('does not start without its sealing key, names the missing file, and does not create a new key', async () => {
    const incomplete = join(folder, 'without-key');
    await copyDirectory(backup, incomplete);
    const key = join(incomplete, 'sealing.key');
    await rm(key);
    const start = () => runProgram(['start', '--data', incomplete, '--http', '127.0.0.1:0', '--https', 'off']);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, stderr } = await start();
      expect(code).toBe(1);
      expect(stderr).toMatch(/sealing key of this installation is missing/);
      expect(stderr).toContain(key);
    }
    await writeFile(key, `${randomBytes(32).toString('base64')}\n`);
    const wrong = await start();
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/does not contain key [0-9a-f]{8}, which secrets in the database are sealed with/);
  });
});

describe('a copied external database', () => {
  it('needs only the sealing key to work on a different machine', async () => {
    const { runDirectory, port, user, password, superuser } = inject('cluster');
    const socket = openSocketDirectory(runDirectory);
    const facts = { host: socket.path, port, ...superuser };
    const maintenance = new Database({ connection: { ...facts, database: 'postgres' }, onError: () => undefined });
    const names = ['original', 'restored'].map((name) => `${name}_${randomBytes(6).toString('hex')}`);
    const [before = '', after = ''] = names;
    onTestFinished(async () => {
      for (const name of names) await maintenance.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await maintenance.close();
      socket.close();
    });
    const keyFile = join(folder, 'external.key');
    await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    const startOn = (name: string) =>
      startTestServer({
        args: [
          `--database-url=postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(socket.path)}`,
          `--sealing-key-file=${keyFile}`,
        ],
      });

    await maintenance.query(`CREATE DATABASE ${before} OWNER ${user}`);
    const original = await startOn(before);
    const kept = await issueFor(original, 'external.example');
    const root = (await rootOf(original.ready)).fingerprint256;
    await original.stop();

    // Equivalent of pg_dump and pg_restore, without requiring those programs.
    await maintenance.query(`CREATE DATABASE ${after} TEMPLATE ${before} OWNER ${user}`);
    const restored = await startOn(after);
    expect((await rootOf(restored.ready)).fingerprint256).toBe(root);
    expect(await statusAt(restored, kept)).toBe('good');
    const fresh = await issueFor(restored, 'restored.example');
    expect(fresh.x509.verify((await rootOf(restored.ready)).publicKey)).toBe(true);
    expect(await restored.client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true });
    await restored.stop();
  });
});
