import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import {
  CODE,
  KIND,
  text,
  tokenRequest,
  TOKENS,
  tokensFixture,
  type FakeProvider,
  type TokensFixture,
} from './testing/tokens-fixture.ts';

let test: TokensFixture;
let provider: FakeProvider;
let connectorUuid: string;
let connectorName: string;

beforeAll(async () => {
  test = await tokensFixture();
});
beforeEach(async () => {
  ({ provider, connectorUuid, connectorName } = await test.addProvider());
});
afterAll(() => test.close());

const detail = (uuid: string) => test.call('getTokenInstance', { params: { uuid } });
const namesOf = (attributes: readonly { readonly name: string }[]) => attributes.map(({ name }) => name).toSorted();

/** Creates two tokens with this name simultaneously. The provider responds only after it has received both requests. */
async function createTwice(name: string) {
  const asked = Promise.withResolvers<void>();
  provider.on(`POST ${TOKENS}`, async () => {
    if (provider.callsTo(`POST ${TOKENS}`).length === 2) asked.resolve();
    await asked.promise;
    const uuid = newUuid();
    provider.tokens.set(uuid, 'Activated');
    return { body: { uuid, name } };
  });
  const ended = await Promise.allSettled([1, 2].map(() => test.addToken(connectorUuid, { name })));
  return ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
}

describe('a new token', () => {
  it("is created at its provider and returned with the provider's data", async () => {
    const { uuid, name, ...shown } = await test.addToken(connectorUuid);
    expect(shown).toMatchObject({
      kind: KIND,
      connectorUuid,
      connectorName,
      status: { status: 'Activated' },
      tokenProfiles: 0,
    });
    const [call] = provider.callsTo(`POST ${TOKENS}`);
    expect(call?.headers['idempotency-key']).toBe(uuid);
    expect(call?.body).toMatchObject({
      name,
      kind: KIND,
      attributes: [{ name: 'data_slot' }, { name: 'data_code', content: [{ data: { secret: CODE } }] }],
    });
    expect(await test.audits(uuid)).toEqual(['create']);
  });

  it('is stored without its activation secret if the provider requires the secret only once', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    expect(namesOf((await detail(uuid)).attributes)).toEqual(['data_slot']);
  });

  it('is stored with its secrets if the provider requires them again, and the secrets are never shown', async () => {
    const { connectorUuid: other } = await test.addProvider({ needsSecrets: true });
    const { uuid } = await test.addToken(other);
    const shown = await detail(uuid);
    expect(namesOf(shown.attributes)).toEqual(['data_code', 'data_slot']);
    expect(JSON.stringify(shown)).not.toContain(CODE);
  });

  it('has a unique name; if the name is in use, the token is not created at the provider', async () => {
    const { name } = await test.addToken(connectorUuid);
    await expect(test.addToken(connectorUuid, { name })).rejects.toMatchObject({
      code: 'already_exists',
      message: `Token ${name} already exists; names and contents must be unique.`,
    });
    expect(provider.callsTo(`POST ${TOKENS}`)).toHaveLength(1);
  });

  it("is rejected with the provider's error message", async () => {
    provider.on(`POST ${TOKENS}`, { status: 422, body: ['slot 7 is taken'] });
    const request = tokenRequest(connectorUuid);
    await expect(test.call('createTokenInstance', { body: request })).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: 'slot 7 is taken',
    });
    expect((await test.call('listTokenInstances')).map(({ name }) => name)).not.toContain(request.name);
  });

  it.each([
    [
      'a kind that its provider does not offer',
      { kind: 'HARD' },
      'does not offer this kind of cryptographyProvider; it offers SOFT.',
    ],
    ['an attribute that its provider does not know', { attributes: [text('data_other', 'x')] }, 'data_other'],
  ])('is rejected for %s', async (_what, facts, words) => {
    await expect(test.addToken(connectorUuid, facts)).rejects.toMatchObject({
      message: expect.stringContaining(words),
    });
    expect(provider.callsTo(`POST ${TOKENS}`)).toEqual([]);
  });

  it('is removed from the provider if it cannot be recorded', async () => {
    test.audit.isBroken = true;
    await expect(test.addToken(connectorUuid)).rejects.toThrow('the audit trail is broken');
    test.audit.isBroken = false;
    expect([...provider.tokens]).toEqual([]);
  });

  it('is removed from the provider if the caller disconnects before it is recorded', async () => {
    const caller = new AbortController();
    provider.on(`GET ${TOKENS}/*/status`, () => {
      expect(provider.tokens.size).toBe(1);
      caller.abort();
      return { status: 503, body: { message: 'x' } };
    });
    const asked = { body: tokenRequest(connectorUuid), context: { signal: caller.signal } };
    await expect(test.call('createTokenInstance', asked)).rejects.toThrow();
    expect(caller.signal.aborted).toBe(true);
    expect([...provider.tokens]).toEqual([]);
  });

  it('cannot be created twice with the same name by simultaneous requests', async () => {
    expect(await createTwice(`token ${newUuid()}`)).toMatchObject([{ code: 'already_exists' }]);
    expect(provider.tokens.size).toBe(1);
  });

  it('may exist at its provider despite an error response, and the error informs the caller of this', async () => {
    provider.on(`POST ${TOKENS}`, { status: 500, body: { message: 'out of memory' } });
    const name = `token ${newUuid()}`;
    await expect(test.addToken(connectorUuid, { name })).rejects.toThrow(
      `it may still have created the token ${name}, which the platform has not recorded`,
    );
  });

  it('is identified in the error by its provider ID if it cannot be recorded and cannot be removed from the provider', async () => {
    const name = `token ${newUuid()}`;
    provider.on(`DELETE ${TOKENS}/*`, { status: 500, body: { message: 'x' } });
    const [refused] = await createTwice(name);
    expect(refused).toMatchObject({ code: 'rejected_by_rules' });
    const made = `Connector ${connectorName} created the token ${name}`;
    const [, there = ''] =
      new RegExp(`${made} \\((.+)\\) but did not remove it again: remove it there\\.`).exec(refused?.message ?? '') ??
      [];
    expect([...provider.tokens.keys()]).toContain(there);
  });
});
