// Which certificate can serve a protocol server, and what people are told of one that cannot.
import type { KeyDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import type { SigningKey } from '../keys/index.ts';
import { judge, type CertificateUse, type Suitability } from './judge.ts';
import type { SigningRow } from './store.ts';

const UUID = '0198c000-0000-7000-8000-000000000001';
const key = { uuid: 'k', name: 'signer' } as SigningKey; // judged by its being found only

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
  /** Usages of the halves of the key; null: it is in no token. */
  readonly halves?: Readonly<Partial<Record<'Private' | 'Public', readonly string[]>>> | null;
  /** What asking for the key to sign with ends with. */
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
    signing: signing as never, // only `find` is called
  };
  return judge(keys, rowOf(row), { families: ['RSA'], ...use });
}

/** In words; within a sentence a name may begin as it does at the start of one. */
async function problemOf(world: World): Promise<string> {
  const verdict = await verdictOn(world);
  return 'problem' in verdict ? verdict.problem.replace('of The certificate', 'of the certificate') : 'it serves';
}

describe('a certificate serves', () => {
  it.each([
    ['valid', {}],
    ['soon to expire', { row: { validation_status: 'expiring' } }],
    ['of one of several families', { row: { public_key_algorithm: 'ECDSA' }, use: { families: ['RSA', 'ECDSA'] } }],
    [
      'for decryption, with a private key for that',
      { use: { decrypts: true }, halves: { Private: ['sign', 'decrypt'] } },
    ],
  ] as const satisfies readonly (readonly [string, World])[])('that is %s', async (_what, world) => {
    expect(await verdictOn(world)).toEqual({ key });
  });
});

describe('a certificate does not serve', () => {
  const own = 'The certificate ra.test';
  const words: readonly (readonly [string, World, string])[] = [
    ['is archived', { row: { archived: true } }, `${own} is archived; take it out of the archive first.`],
    ['is revoked', { row: { state: 'revoked' } }, `${own} is revoked; choose another certificate.`],
    ['is archived and revoked', { row: { archived: true, state: 'revoked' } }, `${own} is archived; take it out of the archive first.`],
    ['has expired', { row: { validation_status: 'expired' } }, `${own} has expired; renew it, and choose its successor.`],
    ['was revoked and has expired', { row: { state: 'revoked', validation_status: 'expired' } }, `${own} is revoked; choose another certificate.`],
    ['has no name', { row: { common_name: '', archived: true } }, `The certificate ${UUID} is archived; take it out of the archive first.`],
    ['has a key of another family', { row: { public_key_algorithm: 'ECDSA' } }, `${own} has a key of ECDSA; RSA is needed.`],
    ['has a key of neither family', { row: { public_key_algorithm: 'Ed25519' }, use: { families: ['RSA', 'ECDSA'] } }, `${own} has a key of Ed25519; RSA or ECDSA is needed.`],
    ['has a family in other letters', { row: { public_key_algorithm: 'rsa' } }, `${own} has a key of rsa; RSA is needed.`],
    ['has its key nowhere', { halves: null }, 'The key of the certificate ra.test is in no token of this platform, so nothing is signed with it.'],
    ['has another key than the one in a token', { row: { public_key_fingerprint: 'f1' } }, 'The key of the certificate ra.test is in no token of this platform, so nothing is signed with it.'],
  ]; // prettier-ignore
  it.each(words)('that %s', async (_why, world, problem) => {
    expect(await problemOf(world)).toBe(problem);
  });

  it.each(['requested', 'pending_issue', 'pending_approval', 'failed', 'rejected', 'pending_revoke'] as const)(
    'that is %s',
    async (state) => {
      expect(await problemOf({ row: { state } })).toBe(`${own} is not issued; choose one that is.`);
    },
  );

  it.each(['not_checked', 'invalid', 'failed', 'inactive', 'revoked'] as const)(
    'whose validation is %s',
    async (validation_status) => {
      const problem = `${own} has not passed its validation; its page says why.`;
      expect(await problemOf({ row: { validation_status } })).toBe(problem);
    },
  );

  it.each([
    ['the private half may only sign', { Private: ['sign'] }],
    ['the public half may decrypt, the private one may not', { Private: ['sign'], Public: ['decrypt'] }],
    ['there is no private half', { Public: ['encrypt', 'decrypt'] }],
  ] as const)('to decrypt where %s', async (_why, halves) => {
    expect(await problemOf({ use: { decrypts: true }, halves })).toBe(
      `The key of the certificate ra.test may not be used to decrypt; give it that usage first.`,
    );
  });

  it.each([
    [
      'is disabled',
      rejected('The key signer is disabled; enable it first.'),
      'The key signer is disabled; enable it first.',
    ],
    ['was deleted meanwhile', notFound('Key', 'k'), 'Key k does not exist or is not visible to you.'],
    [
      'has a token that is away',
      new AppError('unavailable', { reason: 'no token' }),
      'The platform cannot do this now: no token.',
    ],
  ])('whose key %s, in the words of the refusal', async (_why, fault, words) => {
    expect(await problemOf({ fault })).toBe(`The key of the certificate ra.test does not sign: ${words}`);
  });

  it('for a fault that nobody expected, which is not hidden in words', async () => {
    await expect(verdictOn({ fault: new TypeError('broken') })).rejects.toThrow(new TypeError('broken'));
  });
});
