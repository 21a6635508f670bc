// Removal of tokens, and operations that remain possible for tokens whose connector was removed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { TOKENS, tokensFixture, type FakeProvider, type TokensFixture } from './testing/tokens-fixture.ts';

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

const remove = (uuid: string) => test.call('deleteTokenInstance', { params: { uuid } });
const removeMany = (...body: string[]) => test.call('bulkDeleteTokenInstance', { body });
const addProfile = (tokenInstanceUuid: string, name = `profile ${newUuid()}`) =>
  test.call('createTokenProfile', { params: { tokenInstanceUuid }, body: { name, attributes: [] } });
const existsInList = async (uuid: string) =>
  (await test.call('listTokenInstances')).some((token) => token.uuid === uuid);
const removing = async (uuid: string) => {
  const [row] = await test.database.query<{ removing: boolean }>('SELECT removing FROM token WHERE uuid = $1', [uuid]);
  return row?.removing;
};

describe('removing a token', () => {
  it('is done by its provider first', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    await remove(uuid);
    expect([provider.tokens.size, await existsInList(uuid)]).toEqual([0, false]);
    expect(await test.audits(uuid)).toEqual(['create', 'delete']);
    await expect(remove(uuid)).rejects.toMatchObject({
      code: 'object_not_found',
      message: `Token ${uuid} does not exist or is not visible to you.`,
    });
  });

  it('succeeds if the token no longer exists at its provider', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    provider.tokens.clear();
    await remove(uuid);
    expect(await existsInList(uuid)).toBe(false);
  });

  it.each([
    ['rejects it', { status: 422, body: ['It holds keys.'] }, 'It holds keys.'],
    ['fails', { status: 500, body: { message: 'x' } }, 'failed: '],
  ])('is rejected if its provider %s, and the token remains usable', async (_what, answer, words) => {
    const { uuid, name } = await test.addToken(connectorUuid);
    provider.on(`DELETE ${TOKENS}/*`, answer);
    const refused = { code: 'rejected_by_rules', message: expect.stringContaining(words) };
    await expect(remove(uuid)).rejects.toMatchObject(refused);
    await expect(remove(uuid)).rejects.toThrow(`Token ${name} was not removed: `);
    expect([await existsInList(uuid), await removing(uuid)]).toEqual([true, false]);
    expect(await addProfile(uuid)).toMatchObject({ tokenInstanceUuid: uuid });
  });

  it('is rejected while the token has profiles, without calling the provider, and the error lists the profiles', async () => {
    const { uuid, name } = await test.addToken(connectorUuid);
    const profile = await addProfile(uuid);
    await expect(remove(uuid)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: `Token ${name} is in use. Dependent token profiles (1): ${profile.name}`,
    });
    expect(provider.tokens.size).toBe(1);
    await test.call('bulkDeleteTokenProfiles', { body: [profile.uuid] });
    await remove(uuid);
    expect(provider.tokens.size).toBe(0);
  });

  it('prevents new references to the token once it has started', async () => {
    const { uuid, name } = await test.addToken(connectorUuid);
    let refused: unknown;
    provider.on(`DELETE ${TOKENS}/*`, async () => {
      refused = await addProfile(uuid).catch((error: unknown) => error);
      return { status: 204 };
    });
    await remove(uuid);
    expect(refused).toMatchObject({ code: 'rejected_by_rules', message: `Token ${name} is being removed.` });
  });

  it('can be repeated after an interruption', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    await test.database.query('UPDATE token SET removing = true WHERE uuid = $1', [uuid]);
    await remove(uuid);
    expect(await existsInList(uuid)).toBe(false);
  });

  it('in bulk reports the tokens that remain, removes all others, and skips unknown tokens', async () => {
    const [kept, used, gone] = [
      await test.addToken(connectorUuid),
      await test.addToken(connectorUuid),
      await test.addToken(connectorUuid),
    ];
    const profile = await addProfile(used.uuid);
    const { provider: failing, connectorUuid: other } = await test.addProvider();
    const stays = await test.addToken(other);
    failing.on(`DELETE ${TOKENS}/*`, { status: 422, body: ['It holds keys.'] });
    const refused: unknown = await removeMany(gone.uuid, used.uuid, newUuid(), stays.uuid).catch(
      (error: unknown) => error,
    );
    const { problems } = (refused as { parameters: { problems: string[] } }).parameters;
    expect(problems.toSorted()).toEqual(
      [
        `Token ${used.name} is in use. Dependent token profiles (1): ${profile.name}`,
        `Token ${stays.name} was not removed: It holds keys.`,
      ].toSorted(),
    );
    const there = await Promise.all([kept, used, gone, stays].map(({ uuid }) => existsInList(uuid)));
    expect(there).toEqual([true, true, false, true]);
    await removeMany(kept.uuid, gone.uuid);
    expect(await existsInList(kept.uuid)).toBe(false);
  });
});

describe('a token whose connector was removed', () => {
  async function orphan() {
    const token = await test.addToken(connectorUuid);
    await test.call('forceDeleteConnector', { body: [connectorUuid] });
    test.clock.advance(10_000);
    return token;
  }

  it('is shown with its name, its connector\'s name and the status "Unknown"', async () => {
    const { uuid, name } = await orphan();
    const { connectorUuid: none, ...shown } = await test.call('getTokenInstance', { params: { uuid } });
    expect(none).toBeUndefined();
    expect(shown).toMatchObject({
      name,
      connectorName: `${connectorName} (Deleted)`,
      status: {
        status: 'Unknown',
        components: { Connector: { details: { reason: 'The connector of the token was removed.' } } },
      },
    });
  });

  it('cannot be used in any operation that needs its provider', async () => {
    const { uuid, name } = await orphan();
    const unreachable = {
      code: 'invalid_state',
      message: `Token ${name} is without a connector; this operation requires a connector.`,
    };
    const params = { uuid };
    await expect(test.call('activateTokenInstance', { params, body: [] })).rejects.toMatchObject(unreachable);
    await expect(test.call('listTokenProfileAttributes', { params })).rejects.toMatchObject(unreachable);
    await expect(addProfile(uuid)).rejects.toMatchObject(unreachable);
    expect(await test.area.find(uuid)).toMatchObject({ name, connectorUuid: null });
  });

  it('can be removed', async () => {
    const { uuid } = await orphan();
    await remove(uuid);
    expect(await existsInList(uuid)).toBe(false);
  });
});

it('a connector with tokens cannot be removed without force, and the error lists the tokens', async () => {
  const { name } = await test.addToken(connectorUuid);
  await expect(test.call('deleteConnector', { params: { uuid: connectorUuid } })).rejects.toMatchObject({
    message: expect.stringContaining(`Dependent Tokens (1): ${name}`),
  });
});
