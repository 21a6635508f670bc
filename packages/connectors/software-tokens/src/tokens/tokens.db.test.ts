import { cryptographyProviderOperations as operations, connectorBaseOperations } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { KIND } from '../declaration.ts';
import { TOKEN } from '../index.ts';
import {
  activate,
  CODE,
  createPair,
  createToken,
  deactivate,
  flag,
  rejectionOf,
  secret,
  sign,
  signatureAttributes,
  startTestTokens,
  statusOf,
  type TestTokens,
} from '../testing/test-tokens.ts';

const attributes = signatureAttributes({ digest: 'SHA-256' });
const data = Buffer.from('data');
const DEACTIVATED = '422: The token is deactivated. Activate it with its activation code';

let ours: TestTokens;
let theirs: TestTokens;
beforeAll(async () => {
  ours = await startTestTokens();
  theirs = await ours.another();
});

const signWith = (process: TestTokens, token: string, key: string) =>
  sign(process.call, { token, key, attributes, data });

async function tokenWithKey(facts: Parameters<typeof createToken>[1] = {}) {
  const token = await createToken(ours.call, facts);
  const { privateKeyData } = await createPair(ours.call, token);
  return { token, key: privateKeyData.uuid };
}

describe('a token', () => {
  it('is active in the process that created it; any other process, or the same process after a restart, requires the code', async () => {
    const { token, key } = await tokenWithKey();
    expect(await statusOf(ours.call, token)).toMatchObject({ status: 'Activated' });
    expect(await rejectionOf(signWith(theirs, token, key))).toContain(DEACTIVATED);
    expect(await statusOf(theirs.call, token)).toMatchObject({
      status: 'Deactivated',
      components: { Keys: { details: { keyPairs: 1 } }, 'Other processes': { status: 'Unknown' } },
    });
    await activate(theirs.call, token);
    expect(await signWith(theirs, token, key)).not.toHaveLength(0);
  });

  it('signs in no process after it is deactivated in one', async () => {
    const { token, key } = await tokenWithKey();
    await activate(theirs.call, token);
    await signWith(theirs, token, key);
    await deactivate(ours.call, token);
    expect(await rejectionOf(signWith(theirs, token, key))).toContain(DEACTIVATED);
    expect(await rejectionOf(signWith(ours, token, key))).toContain(DEACTIVATED);
    await deactivate(ours.call, token);
    await activate(ours.call, token);
    expect(await signWith(ours, token, key)).not.toHaveLength(0);
    expect(await rejectionOf(signWith(theirs, token, key))).toContain(DEACTIVATED);
  });

  it('opens in every process without its code if it stays active, until it is deactivated', async () => {
    const { token, key } = await tokenWithKey({ staysActive: true });
    expect(await signWith(theirs, token, key)).not.toHaveLength(0);
    const restarted = await ours.another();
    expect(await signWith(restarted, token, key)).not.toHaveLength(0);
    await deactivate(theirs.call, token);
    for (const process of [ours, theirs, restarted])
      expect(await rejectionOf(signWith(process, token, key))).toContain(DEACTIVATED);
    await activate(theirs.call, token);
    for (const process of [ours, theirs, restarted]) expect(await signWith(process, token, key)).not.toHaveLength(0);
  });

  it('is removed with its keys, in every process', async () => {
    const { token, key } = await tokenWithKey();
    await activate(theirs.call, token);
    await signWith(theirs, token, key);
    await ours.call(operations.removeTokenInstance, { params: { uuid: token } });
    for (const process of [ours, theirs])
      expect(await rejectionOf(signWith(process, token, key))).toContain('404: Token');
    const { rows } = await ours.pool.query('SELECT FROM connector_software_tokens.token_key WHERE token_uuid = $1', [
      token,
    ]);
    expect(rows).toHaveLength(0);
    expect(await rejectionOf(statusOf(ours.call, token))).toContain('404: Token');
  });

  it('is created once per idempotency key, and a different request with the same key is rejected', async () => {
    const facts = { name: 'once', idempotencyKey: 'create-once' };
    expect(await createToken(ours.call, facts)).toBe(await createToken(theirs.call, facts));
    expect(await rejectionOf(createToken(ours.call, { ...facts, name: 'other' }))).toContain(
      '422: The idempotency key',
    );
  });
});

describe('the token form', () => {
  const check = (...body: ReturnType<typeof secret>[]) =>
    rejectionOf(
      ours.call(connectorBaseOperations.validateAttributes, {
        params: { functionalGroup: 'cryptographyProvider', kind: KIND },
        body,
      }),
    );

  it('reports problems with the activation code', async () => {
    expect(await check()).toBe('not refused');
    const make = (...attributes: ReturnType<typeof secret>[]) =>
      rejectionOf(ours.call(operations.createTokenInstance, { body: { name: 'form', kind: KIND, attributes } }));
    expect(await make()).toBe('422: A new token requires an activation code (data_activationCode).');
    expect(await check(secret(TOKEN.code, 'short'))).toContain('must have at least 8 characters, not 5');
    expect(await check(secret(TOKEN.code, CODE), secret(TOKEN.repeatedCode, 'another one'))).toContain(
      'The two activation codes do not match (',
    );
    expect(await check(secret(TOKEN.code, CODE), secret(TOKEN.repeatedCode, CODE))).toBe('not refused');
    const newCode = secret(TOKEN.newCode, 'another one');
    expect(await make(secret(TOKEN.code, CODE), newCode)).toContain(') can only be set for an existing token.');
  });

  it('rejects names with invisible characters', async () => {
    expect(await rejectionOf(createToken(ours.call, { name: 'a\u202Eb' }))).toContain('U+202E');
    expect(await rejectionOf(createToken(ours.call, { name: ' ' }))).toContain('must not be blank.');
  });
});

describe('an update', () => {
  const change = (token: string, ...attributesOfChange: ReturnType<typeof secret>[]) =>
    ours.call(operations.updateTokenInstance, {
      params: { uuid: token },
      body: { name: 'renamed', kind: KIND, attributes: attributesOfChange },
    });

  it('to the code requires the current code, keeps the keys, and can be repeated', async () => {
    const { token, key } = await tokenWithKey();
    expect(await rejectionOf(change(token, secret(TOKEN.newCode, 'the second code')))).toContain(
      'Changing the activation code requires the current one (',
    );
    const wrong = change(token, secret(TOKEN.code, 'a wrong code'), secret(TOKEN.newCode, 'the second code'));
    expect(await rejectionOf(wrong)).toContain('422: The activation code is incorrect');
    for (let times = 0; times < 2; times += 1)
      expect(await change(token, secret(TOKEN.code, CODE), secret(TOKEN.newCode, 'the second code'))).toMatchObject({
        name: 'renamed',
      });
    expect(await rejectionOf(activate(theirs.call, token))).toContain('422: The activation code is incorrect');
    await activate(theirs.call, token, 'the second code');
    expect(await signWith(theirs, token, key)).not.toHaveLength(0);
  });

  it('to the name requires no code, and keeps values that are omitted', async () => {
    const { token } = await tokenWithKey({ staysActive: true, allowsImport: true });
    const { metadata } = await change(token);
    expect(metadata?.map(({ content }) => content?.[0]?.data)).toEqual([true, true]);
  });

  it('can make a token stay active, which requires its code, and can revert this', async () => {
    const { token, key } = await tokenWithKey();
    const staying = flag(TOKEN.staysActive, true);
    expect(await rejectionOf(change(token, staying))).toContain(
      'To keep a token active, also specify its activation code (',
    );
    expect(await rejectionOf(change(token, staying, secret(TOKEN.code, 'a wrong code')))).toContain('is incorrect');
    await change(token, staying, secret(TOKEN.code, CODE));
    // Nothing changes, so no code is required.
    await change(token, staying);
    expect(await signWith(await ours.another(), token, key)).not.toHaveLength(0);
    await change(token, flag(TOKEN.staysActive, false));
    expect(await rejectionOf(signWith(await ours.another(), token, key))).toContain(DEACTIVATED);
  });
});

describe('incorrect codes', () => {
  it('are counted across all processes and lock the token for increasing periods, even for the correct code', async () => {
    const token = await createToken(ours.call);
    const now = new Date('2026-11-23T10:00:00Z');
    const advanceTo = (seconds: number): void => ours.setTime(new Date(now.getTime() + seconds * 1000));
    advanceTo(0);
    const wrong = (process: TestTokens) => rejectionOf(activate(process.call, token, 'a wrong code'));
    expect(await wrong(ours)).toContain('After 4 more incorrect codes, the token is temporarily locked');
    await wrong(theirs);
    await wrong(ours);
    expect(await wrong(theirs)).toContain('After 1 more incorrect code, the token is temporarily locked');
    expect(await wrong(ours)).toContain('The token is locked for 30 seconds');
    advanceTo(29);
    for (const process of [ours, theirs])
      expect(await rejectionOf(activate(process.call, token))).toContain(
        'locked until 2026-11-23T10:00:30Z because of 5 incorrect activation codes',
      );
    expect(await statusOf(ours.call, token)).toMatchObject({
      status: 'Activated',
      components: { 'Activation code': { status: 'Warning', details: { lockedUntil: '2026-11-23T10:00:30Z' } } },
    });
    advanceTo(31);
    expect(await wrong(theirs)).toContain('The token is locked for 60 seconds');
    advanceTo(92);
    await activate(theirs.call, token);
    expect(await wrong(theirs)).toContain('After 4 more incorrect codes');
    ours.setTime(undefined);
  });

  it('sent concurrently allow no more attempts than sequential ones', async () => {
    const token = await createToken(ours.call);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        rejectionOf(activate((index % 2 === 0 ? ours : theirs).call, token, `wrong code ${index}`)),
      ),
    );
    const checked = answers.filter((answer) => answer.includes('is incorrect'));
    expect(checked.length).toBeLessThanOrEqual(5);
    expect(checked.length).toBeGreaterThan(0);
  });
});

it('malformed identifiers result in a "not found" error', async () => {
  for (const uuid of ['x', "'; DROP TABLE token"]) {
    expect(await rejectionOf(statusOf(ours.call, uuid))).toContain('404: Token');
    expect(await rejectionOf(activate(ours.call, uuid))).toContain('404: Token');
    expect(await rejectionOf(deactivate(ours.call, uuid))).toContain('404: Token');
    expect(await rejectionOf(signWith(ours, uuid, uuid))).toContain('404: Token');
  }
});
