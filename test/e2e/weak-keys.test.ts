// Requests and keys that no RA profile permits: rejected over REST and ACME with the problem and a remedy.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureAlgorithm } from '@signetry/pki';
import type { KeyPair } from '@signetry/pki/node';
import { makeSigningRequest } from '@signetry/testkit/acme';
import { startTestServer } from '@signetry/testkit/platform';
import { afterAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { issue, rejectionOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const rsaKeys = (publicExponent = 65_537): KeyPair => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent });
  return { privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }) };
};
const listed = rsaKeys();

const folder = await mkdtemp(join(tmpdir(), 'signetry-weak-keys-'));
afterAll(() => rm(folder, { recursive: true }));
const modulus = Buffer.from(listed.privateKey.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex');
const entry = createHash('sha1').update(`Modulus=${modulus.toUpperCase()}\n`).digest('hex').slice(20);
await writeFile(join(folder, 'blacklist.RSA-2048'), `# weak\n00006aa0ce2cd60e6660\n${entry}\n`);

const acme = sharedAcmeServer([`--weak-key-lists=${folder}`]);

const rejectionFor = async (options: Partial<Parameters<typeof makeRequest>[0]>): Promise<string> => {
  const { client } = acme.server;
  const request = await makeRequest({ subject: 'CN=weak.example', ...options });
  return (await rejectionOf(issue(client, await defaultProfile(client), request))).message;
};

describe('a certification request', () => {
  it('signed with SHA-1 is rejected', async () => {
    const algorithm = signatureAlgorithm('SHA1withECDSA');
    expect(await rejectionFor({ algorithm })).toMatch(/signed with SHA-1, which is broken; sign it with SHA-256/);
  });

  it('for a key on a list of weak keys is rejected, including over ACME, where the order remains usable', async () => {
    expect(await rejectionFor({ keys: listed })).toMatch(/CVE-2008-0166.*generate a new key pair/);
    const client = await acme.account();
    const name = acme.host('listed');
    const { order, url } = await acme.readyOrder(client, [name]);
    const { der } = await makeSigningRequest({ names: [name], privateKey: listed.privateKey });
    const problem = expectProblem(await client.finalize(order.finalize, der), 400, 'badCSR');
    expect(problem.detail).toMatch(/lists of weak keys.*generate a new key pair/);
    expect((await client.order(url)).body.status).toBe('ready');
  });

  it('for an RSA key with exponent 3 is rejected, and a request with exponent 65539 is rejected by the RA profile', async () => {
    expect(await rejectionFor({ keys: rsaKeys(3) })).toMatch(
      /at least 65537 .*Generate a key with public exponent 65537/,
    );
    expect(await rejectionFor({ keys: rsaKeys(65_539) })).toMatch(/public exponents other than 65537 are not allowed/);
  });
});

it('a platform does not start if it cannot parse its list of weak keys', async () => {
  await writeFile(join(folder, 'other'), 'no entry\n');
  await expect(startTestServer({ args: [`--weak-key-lists=${folder}`] })).rejects.toThrow(
    /--weak-key-lists: .*other, line 1: must contain 20 hexadecimal digits/,
  );
});
