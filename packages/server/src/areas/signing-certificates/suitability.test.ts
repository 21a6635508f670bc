// Which certificates a protocol server can use, and the error message for one that it cannot use.
import type { KeyDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import type { SigningKey } from '../keys/index.ts';
import { evaluateSuitability, type CertificateUse, type Suitability } from './suitability.ts';
import type { SigningRow } from './store.ts';

const UUID = '0198c000-0000-7000-8000-000000000001';
const key = { uuid: 'k', name: 'signer' } as SigningKey; // The test only checks that this key is returned.

const rowOf = (facts: Partial<SigningRow> = {}): SigningRow => ({
  uuid: UUID,
  common_name: 'ra.test',
  state: 'issued',
  validation_status: 'valid',
  archived: false,
  not_after: new Date('2030-01-01T00:00:00Z'),
  public_key_algorithm: 'RSA',
  public_key_fingerprint: 'f0',
  ...facts,
});

interface World {
  readonly row?: Partial<SigningRow>;
  readonly use?: Partial<CertificateUse>;
  /** Usages of the public and private key; null if the key is in no token. */
  readonly halves?: Readonly<Partial<Record<'Private' | 'Public', readonly string[]>>> | null;
  /** Error thrown when the signing key is looked up. */
  readonly fault?: unknown;
}

const keyOf = (halves: NonNullable<World['halves']>): KeyDto =>
  ({ uuid: 'k', items: Object.entries(halves).map(([type, usage]) => ({ type, usage })) }) as unknown as KeyDto;

function verdictOn({ row, use, halves = { Private: ['sign'] }, fault }: World): Promise<Suitability> {
  const signing = {
    find: (uuid: string) => (fault === undefined && uuid === 'k' ? Promise.resolve(key) : Promise.reject(fault)),
  };
  const keys = {
    findByPublicKey: async (fingerprint: string) => (halves && fingerprint === 'f0' ? keyOf(halves) : undefined),
    signing: signing as never, // Only `find` is called.
  };
  return evaluateSuitability(keys, rowOf(row), { families: ['RSA'], ...use });
}

/** Returns the error message. */
async function problemOf(world: World): Promise<string> {
  const verdict = await verdictOn(world);
  return 'problem' in verdict ? verdict.problem : 'no problem';
}

describe('a certificate can be used', () => {
  it.each([
    ['valid', {}],
    ['soon to expire', { row: { validation_status: 'expiring' } }],
    [
      'of one of multiple allowed families',
      { row: { public_key_algorithm: 'ECDSA' }, use: { families: ['RSA', 'ECDSA'] } },
    ],
    [
      'used for decryption and its private key may decrypt',
      { use: { decrypts: true }, halves: { Private: ['sign', 'decrypt'] } },
    ],
  ] as const satisfies readonly (readonly [string, World])[])('if it is %s', async (_what, world) => {
    expect(await verdictOn(world)).toEqual({ key });
  });
});

describe('a certificate cannot be used', () => {
  const own = 'Certificate ra.test';
  const words: readonly (readonly [string, World, string])[] = [
    ['is archived', { row: { archived: true } }, `${own} is archived. Unarchive it first.`],
    ['is revoked', { row: { state: 'revoked' } }, `${own} is revoked. Choose a different certificate.`],
    ['is archived and revoked', { row: { archived: true, state: 'revoked' } }, `${own} is archived. Unarchive it first.`],
    ['has expired', { row: { validation_status: 'expired' } }, `${own} has expired. Renew it and choose its successor.`],
    ['was revoked and has expired', { row: { state: 'revoked', validation_status: 'expired' } }, `${own} is revoked. Choose a different certificate.`],
    ['has no name', { row: { common_name: '', archived: true } }, `Certificate ${UUID} is archived. Unarchive it first.`],
    ['has a key of a different family', { row: { public_key_algorithm: 'ECDSA' } }, `${own} has a key of type ECDSA; RSA is required.`],
    ['has a key of neither family', { row: { public_key_algorithm: 'Ed25519' }, use: { families: ['RSA', 'ECDSA'] } }, `${own} has a key of type Ed25519; RSA or ECDSA is required.`],
    ['has a family name in lowercase', { row: { public_key_algorithm: 'rsa' } }, `${own} has a key of type rsa; RSA is required.`],
    ['has a key that is in no token', { halves: null }, 'Certificate ra.test cannot sign: its key is not in a token of this platform.'],
    ['has a different key than the one in the token', { row: { public_key_fingerprint: 'f1' } }, 'Certificate ra.test cannot sign: its key is not in a token of this platform.'],
  ]; // prettier-ignore
  it.each(words)('if it %s', async (_why, world, problem) => {
    expect(await problemOf(world)).toBe(problem);
  });

  it.each(['requested', 'pending_issue', 'pending_approval', 'failed', 'rejected', 'pending_revoke'] as const)(
    'if it is %s',
    async (state) => {
      expect(await problemOf({ row: { state } })).toBe(`${own} has not been issued. Choose an issued certificate.`);
    },
  );

  it.each(['not_checked', 'invalid', 'failed', 'inactive', 'revoked'] as const)(
    'if its validation is %s',
    async (validation_status) => {
      const problem = `${own} failed validation. Its details show the reason.`;
      expect(await problemOf({ row: { validation_status } })).toBe(problem);
    },
  );

  it.each([
    ['the private key may only sign', { Private: ['sign'] }],
    ['the public key may decrypt but the private key may not', { Private: ['sign'], Public: ['decrypt'] }],
    ['there is no private key', { Public: ['encrypt', 'decrypt'] }],
  ] as const)('to decrypt if %s', async (_why, halves) => {
    expect(await problemOf({ use: { decrypts: true }, halves })).toBe(
      `Certificate ra.test cannot decrypt: its key is not permitted to decrypt. Add that key usage first.`,
    );
  });

  it.each([
    [
      'is disabled',
      rejected('The key signer is disabled; enable it first.'),
      'The key signer is disabled; enable it first.',
    ],
    ['was deleted in the meantime', notFound('Key', 'k'), 'Key k does not exist or is not visible to you.'],
    [
      'is in a token that is unavailable',
      new AppError('unavailable', { reason: 'no token' }),
      'The platform cannot do this now: no token.',
    ],
  ])('if its key %s, with the error message of the rejection', async (_why, fault, reason) => {
    expect(await problemOf({ fault })).toBe(`${own} cannot sign: ${reason}`);
  });

  it('if an unexpected error occurs, which is rethrown unchanged', async () => {
    await expect(verdictOn({ fault: new TypeError('broken') })).rejects.toThrow(new TypeError('broken'));
  });
});
