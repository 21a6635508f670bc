// Tokens with keys of various kinds and states, with realistic names: short, long, and in other scripts.
import type { Client } from '@signetry/client';
import { createAuthority } from '../e2e/testing/profiles.ts';
import { createKey, createToken } from '../e2e/testing/tokens.ts';

export interface KeySamples {
  readonly token: string;
  readonly inactiveToken: string;
  /** Profile of the active token. */
  readonly tokenProfile: string;
  /** RSA key with multiple signature schemes. */
  readonly key: string;
  readonly secretKey: string;
  readonly compromised: string;
  /** Has a right-to-left name of maximum length. */
  readonly longNamed: string;
  /** Signs with a key in the inactive token. */
  readonly authority: string;
}

const UNBROKEN = 'hsm-eu-central-1-blue-green-canary-platform-internal-example-without-any-place-to-break'.repeat(2);
const LONG_NAME = `مفتاح التوقيع للبرامج الثابتة <b>bold</b> ${'extraordinarily long '.repeat(8)}`.slice(0, 200).trim();

export async function createSampleKeys(client: Client): Promise<KeySamples> {
  const token = await createToken(client, 'HSM in the second data center');
  const inactiveToken = await createToken(client, 'Spare');
  const profileOf = async (tokenInstanceUuid: string, name: string, description: string): Promise<string> => {
    const usage = ['sign', 'verify', 'encrypt', 'decrypt'] as const;
    const body = { name, description, attributes: [], enabled: true, usage: [...usage] };
    return (await client.tokenProfiles.createTokenProfile({ params: { tokenInstanceUuid }, body })).uuid;
  };
  const tokenProfile = await profileOf(
    token,
    'Documents and firmware',
    'For documents and firmware that are signed manually.',
  );
  const spare = { tokenInstanceUuid: inactiveToken, tokenProfileUuid: await profileOf(inactiveToken, 'Spare', '') };
  const caKey = await createKey(client, spare, { specification: 'P-256', name: 'Spare CA' });
  const { authorityUuid: authority } = await createAuthority(client, {
    name: 'Spare CA',
    values: { data_tokenKey: caKey.uuid, data_subject: 'CN=Spare CA' },
  });
  await client.tokens.deactivateTokenInstance({ params: { uuid: inactiveToken } });
  const createSampleKey = async (name: string, specification: string, enabled = true): Promise<string> => {
    const path = { tokenInstanceUuid: token, tokenProfileUuid: tokenProfile };
    return (await createKey(client, path, { name, specification, enabled })).uuid;
  };
  const key = await createSampleKey('Document signing', 'RSA-3072');
  const secretKey = await createSampleKey('Backups', 'AES-256');
  await createSampleKey('Firmware, post-quantum', 'ML-DSA-65');
  await createSampleKey('Not used yet', 'P-256', false);
  const compromised = await createSampleKey('Left on a laptop', 'Ed25519');
  await client.keys.compromiseKey({ params: { uuid: compromised }, body: { reason: 'disclosure' } });
  const destroyed = await createSampleKey('Document signing, until last year', 'P-384');
  await client.keys.destroyKey({ params: { uuid: destroyed }, body: [] });
  const unusual = await profileOf(token, '<script>alert("profile")</script>', UNBROKEN);
  const wish = { specification: 'RSA-2048', name: LONG_NAME, alias: `${UNBROKEN} مفتاح` };
  const { uuid: longNamed } = await createKey(client, { tokenInstanceUuid: token, tokenProfileUuid: unusual }, wish);
  return { token, inactiveToken, tokenProfile, key, secretKey, compromised, longNamed, authority };
}
