import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CODE,
  KIND,
  secret,
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

beforeAll(async () => {
  test = await tokensFixture();
});
beforeEach(async () => {
  ({ provider, connectorUuid } = await test.addProvider());
});
afterAll(() => test.close());

const detail = (uuid: string) => test.call('getTokenInstance', { params: { uuid } });
const edit = (uuid: string, facts: object = {}) =>
  test.call('updateTokenInstance', { params: { uuid }, body: tokenRequest(connectorUuid, facts) });
const activate = (uuid: string, code = CODE) =>
  test.call('activateTokenInstance', { params: { uuid }, body: [secret('data_code', code)] });
const listed = async (uuid: string) =>
  (await test.call('listTokenInstances')).find((token) => token.uuid === uuid) ?? expect.fail('it is not listed');
const namesOf = (attributes: readonly { readonly name: string }[]) => attributes.map(({ name }) => name).toSorted();
const invalid = (message: string) => ({ code: 'invalid_state', message });

describe('the status of a token', () => {
  it('is requested whenever the token is shown, and is stored for lists when the token is reloaded', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    for (const id of provider.tokens.keys()) provider.tokens.set(id, 'Warning');
    expect((await detail(uuid)).status).toEqual({ status: 'Warning' });
    expect(await listed(uuid)).toMatchObject({ status: 'Activated' });
    const shown = await test.call('reloadTokenInstanceStatus', { params: { uuid } });
    expect(shown.status).toEqual({ status: 'Warning' });
    expect(await listed(uuid)).toMatchObject({ status: 'Warning' });
    expect(await test.audits(uuid)).toEqual(['create', 'getStatus']);
  });

  it('remains unchanged in lists while its provider fails, and the token is still shown', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    provider.on(`GET ${TOKENS}/*/status`, { status: 503, body: { message: 'x' } });
    const shown = await test.call('reloadTokenInstanceStatus', { params: { uuid } });
    expect(shown.status).toMatchObject({ status: 'Unknown', components: { Connector: { status: 'Unknown' } } });
    expect(namesOf(shown.attributes)).toEqual(['data_slot']);
    expect(await listed(uuid)).toMatchObject({ status: 'Activated' });
  });

  it('indicates that the provider no longer knows the token', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    provider.tokens.clear();
    const reason = 'The connector has no such token.';
    expect((await detail(uuid)).status.components).toMatchObject({ Connector: { details: { reason } } });
  });
});

describe('activation', () => {
  it('forwards the activation secret to the provider without storing it, and stores the status', async () => {
    const { uuid } = await test.addToken(connectorUuid, { attributes: [] });
    await test.call('deactivateTokenInstance', { params: { uuid } });
    expect(await listed(uuid)).toMatchObject({ status: 'Deactivated' });
    await activate(uuid, 'canary-of-the-activation');
    expect(provider.callsTo(`PATCH ${TOKENS}/*/activate`).at(-1)?.body).toMatchObject([
      { name: 'data_code', content: [{ data: { secret: 'canary-of-the-activation' } }] },
    ]);
    expect(await listed(uuid)).toMatchObject({ status: 'Activated' });
    expect((await detail(uuid)).attributes).toEqual([]);
    expect(await test.audits(uuid)).toEqual(['create', 'deactivate', 'activate']);
  });

  it("is rejected with the provider's error message and changes nothing", async () => {
    const { uuid } = await test.addToken(connectorUuid);
    await test.call('deactivateTokenInstance', { params: { uuid } });
    provider.on(`PATCH ${TOKENS}/*/activate`, { status: 422, body: ['The code is wrong.'] });
    await expect(activate(uuid, 'guessed')).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: 'The code is wrong.',
    });
    expect(await listed(uuid)).toMatchObject({ status: 'Deactivated' });
    expect(await test.audits(uuid)).toEqual(['create', 'deactivate']);
  });

  it('accepts only attributes that the provider supports, which is checked before activation', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    const body = [text('data_other', 'x')];
    await expect(test.call('activateTokenInstance', { params: { uuid }, body })).rejects.toMatchObject({
      message: expect.stringContaining('data_other'),
    });
    expect(provider.callsTo(`PATCH ${TOKENS}/*/activate`)).toEqual([]);
  });
});

describe('editing a token', () => {
  it('replaces its attributes, but not its name, kind or connector', async () => {
    const { uuid, name } = await test.addToken(connectorUuid);
    const changed = await edit(uuid, { name: 'other', kind: 'HARD', attributes: [text('data_slot', '8')] });
    expect(changed).toMatchObject({ name, kind: KIND, attributes: [{ name: 'data_slot', content: [{ data: '8' }] }] });
    expect(provider.callsTo(`POST ${TOKENS}/*`).at(-1)?.body).toMatchObject({ name, kind: KIND });
    expect(await test.audits(uuid)).toEqual(['create', 'update']);
  });

  it('keeps a secret that is sent as an empty value, if the platform stores it', async () => {
    const other = await test.addProvider({ needsSecrets: true });
    const { uuid } = await test.addToken(other.connectorUuid);
    await edit(uuid, { attributes: [secret('data_code')] });
    expect(other.provider.callsTo(`POST ${TOKENS}/*`).at(-1)?.body).toMatchObject({
      attributes: [{ name: 'data_code', content: [{ data: { secret: CODE } }] }],
    });
  });

  it('changes nothing if the provider rejects the edit', async () => {
    const { uuid } = await test.addToken(connectorUuid);
    provider.on(`POST ${TOKENS}/*`, { status: 422, body: ['no'] });
    await expect(edit(uuid, { attributes: [] })).rejects.toMatchObject({ code: 'rejected_by_rules', message: 'no' });
    expect(namesOf((await detail(uuid)).attributes)).toEqual(['data_slot']);
    expect(await test.audits(uuid)).toEqual(['create']);
  });

  it('blocks a concurrent edit, which is rejected until the first edit has finished', async () => {
    const { uuid, name } = await test.addToken(connectorUuid);
    let answered = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      provider.on(`POST ${TOKENS}/*`, async () => {
        resolve();
        await new Promise<void>((answer) => (answered = answer));
        return { body: { uuid: 'x', name } };
      });
    });
    const first = edit(uuid, { attributes: [text('data_slot', '1')] });
    await begun;
    await expect(edit(uuid, { attributes: [] })).rejects.toMatchObject(
      invalid(`Token ${name} is being edited by another user; this operation requires that edit to finish. Check its changes and try again.`), // prettier-ignore
    );
    answered();
    expect(await first).toMatchObject({ attributes: [{ content: [{ data: '1' }] }] });
  });
});
