// OpenSSL as an independent verifier of the served data. Skipped if it is not installed.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePem } from '@signetry/pki';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, testPlatform } from '@signetry/testkit/services';
import type { KeySpec } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { createTestAuthority, type TestCertificate } from './testing/authority.ts';
import { startTestNode } from './testing/node.ts';

const run = promisify(execFile);

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

async function setUp(key: KeySpec = 'P-256') {
  const platform = testPlatform(database);
  const authority = await createTestAuthority(platform, { key });
  const node = await startTestNode(platform, authority.ports);
  closeAfterTest(node.close);
  const directory = await mkdtemp(join(tmpdir(), 'revocation-'));
  closeAfterTest(() => rm(directory, { recursive: true, force: true }));
  const write = async (name: string, der: Uint8Array, label = 'CERTIFICATE') => {
    const path = join(directory, name);
    await writeFile(path, writePem(label, der));
    return path;
  };
  const ca = await write('ca.pem', authority.ca().certificate.der);
  const pemOf = (item: TestCertificate) => write(`${item.uuid}.pem`, item.certificate.der);
  const ocsp = async (items: readonly TestCertificate[], ...options: string[]) => {
    const certificates = (await Promise.all(items.map(pemOf))).flatMap((path) => ['-cert', path]);
    const { stdout, stderr } = await run('openssl', [
      'ocsp', '-issuer', ca, '-CAfile', ca, ...options, ...certificates, '-url', `${node.url}/ocsp/${authority.uuid}`,
    ]); // prettier-ignore
    return stdout + stderr;
  };
  return { authority, node, ca, write, pemOf, ocsp };
}

describe.skipIf(!hasOpenssl())('OpenSSL', () => {
  it.each(['P-256', 'RSA-2048', 'Ed25519'] as const)(
    'verifies a good and a revoked certificate status under a %s CA',
    async (key) => {
      const { authority, ocsp } = await setUp(key);
      const leaf = await authority.issue();
      const good = await ocsp([leaf], '-no_nonce');
      expect(good).toContain('Response verify OK');
      expect(good).toContain(': good');
      authority.revoke(leaf, 'keyCompromise');
      const revoked = await ocsp([leaf], '-no_nonce');
      expect(revoked).toContain('Response verify OK');
      expect(revoked).toMatch(/: revoked[\s\S]*Reason: keyCompromise/);
    },
  );

  it('receives its nonce back, and can send requests with SHA-256', async () => {
    const { authority, ocsp } = await setUp();
    const text = await ocsp([await authority.issue()], '-sha256', '-nonce', '-text');
    expect(text).toContain('Response verify OK');
    expect(text).toContain(': good');
    expect(text).not.toContain('no nonce in response');
  });

  it('can request the status of multiple certificates in one request', async () => {
    const { authority, ocsp } = await setUp();
    const [one, two] = await Promise.all([authority.issue(), authority.issue()]);
    if (!one || !two) throw new Error('unreachable');
    authority.revoke(two, 'superseded');
    const text = await ocsp([one, two]);
    expect(text).toContain('Response verify OK');
    expect(text).toMatch(/: good[\s\S]*: revoked/);
  });

  it('accepts the CRL and uses it to detect the revoked certificate', async () => {
    const { authority, node, ca, write, pemOf } = await setUp();
    const [good, revoked] = await Promise.all([authority.issue(), authority.issue()]);
    if (!good || !revoked) throw new Error('unreachable');
    authority.revoke(revoked, 'cessationOfOperation');
    const answer = await fetch(`${node.url}/crl/${authority.uuid}.crl`);
    const crl = await write('ca.crl', new Uint8Array(await answer.arrayBuffer()), 'X509 CRL');
    const shown = await run('openssl', ['crl', '-in', crl, '-CAfile', ca, '-noout', '-text']);
    expect(shown.stderr).toContain('verify OK');
    expect(shown.stdout).toContain('Cessation Of Operation');
    const verify = async (item: TestCertificate) =>
      run('openssl', ['verify', '-crl_check', '-CRLfile', crl, '-CAfile', ca, await pemOf(item)]);
    expect((await verify(good)).stdout).toContain('OK');
    await expect(verify(revoked)).rejects.toThrow('certificate revoked');
  });

  it('can read the served CA certificate', async () => {
    const { authority, node } = await setUp();
    const der = Buffer.from(await (await fetch(`${node.url}/ca/${authority.uuid}.crt`)).arrayBuffer());
    const shown = execFileSync('openssl', ['x509', '-inform', 'DER', '-noout', '-subject'], { input: der });
    expect(shown.toString()).toContain(authority.name);
  });
});
