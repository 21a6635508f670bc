// SoftHSM tokens from form to removal, with their sessions, PINs and libraries.
import { connectorBaseOperations, cryptographyProviderOperations as operations } from '@signetry/contract';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HAS_SOFT_HSM, SOFT_HSM, SOFT_HSM_NOTE } from './testing/soft-hsm.ts';
import {
  addToken,
  makePair,
  sign,
  startTestTokens,
  statusOf,
  type ReadyToken,
  type TestTokens,
} from './testing/test-tokens.ts';
import { pinValues, signatureValues, tokenValues } from './testing/token-values.ts';

const SHA256 = signatureValues({ digest: 'SHA-256' });
const DATA = Buffer.from('What is signed here');

describe.skipIf(!HAS_SOFT_HSM)(`a token${SOFT_HSM_NOTE}`, () => {
  let ours: TestTokens;
  const pins: string[] = [];
  const add = async (facts: Parameters<typeof addToken>[1] = {}): Promise<ReadyToken> => {
    const token = await addToken(ours, facts);
    pins.push(token.pin);
    return token;
  };
  const pidOf = async (token: ReadyToken): Promise<number> =>
    (await statusOf(ours.call, token)).components?.['library']?.details?.['process'] as number;
  const createSigner = async (token: ReadyToken, call = ours.call) => {
    const { privateKeyData } = await makePair(call, token, ['signing', 'P-256']);
    return () => sign(call, token, { keyUuid: privateKeyData.uuid, data: DATA, how: SHA256 });
  };

  beforeAll(async () => {
    ours = await startTestTokens();
  });

  afterEach(async () => {
    // No test may expose a PIN in the clear.
    const logged = JSON.stringify(ours.log.map(({ facts, message }) => [message, Object.values(facts).map(String)]));
    const stored = await ours.pool.query(`SELECT t::text AS row FROM ${ours.context.storage.table('token')} t`);
    for (const pin of pins) {
      expect(logged).not.toContain(pin);
      expect(JSON.stringify(stored.rows)).not.toContain(pin);
      expect(JSON.stringify(stored.rows)).not.toContain(Buffer.from(pin).toString('hex'));
    }
  });

  it('is offered by label and serial number once its library is selected', async () => {
    const { serial, label } = await add({ isActive: false });
    const form = await ours.call(connectorBaseOperations.listAttributeDefinitions, {
      params: { functionalGroup: 'cryptographyProvider', kind: 'PKCS11' },
    });
    expect(form.map(({ name }) => name)).toEqual(['info_pkcs11', 'data_library', 'group_token']);
    const [choice] = await ours.call(operations.getCreateTokenAttributes, { params: { option: 'softhsm' } });
    const content = choice?.type === 'data' ? choice.content : [];
    expect(content).toContainEqual({
      reference: `${label} (SoftHSM project, SoftHSM v2, serial number ${serial})`,
      data: `${serial}:${label}`,
    });
  });

  it('is created, shown, renamed, activated, deactivated and removed', async () => {
    const token = await add({ isActive: false });
    const params = { uuid: token.uuid };
    expect((await statusOf(ours.call, token)).status).toBe('Deactivated');
    await ours.call(operations.activateTokenInstance, { params, body: pinValues(token.pin) });
    const { status, components } = await statusOf(ours.call, token);
    expect(status).toBe('Activated');
    expect(Object.keys(components ?? {})).toEqual(['library', 'token', 'session', 'pin', 'mechanisms']);
    expect(components?.['library']?.details).toMatchObject({ manufacturer: 'SoftHSM', path: SOFT_HSM });
    const renamed = { name: 'Renamed', kind: 'PKCS11', attributes: tokenValues(token.serial, token.label) };
    expect(await ours.call(operations.updateTokenInstance, { params, body: renamed })).toMatchObject({
      name: 'Renamed',
    });
    await ours.call(operations.deactivateTokenInstance, { params });
    expect((await statusOf(ours.call, token)).status).toBe('Deactivated');
    await expect(ours.call(operations.listKeys, { params })).rejects.toMatchObject({ status: 422 });
    await ours.call(operations.removeTokenInstance, { params });
    await expect(ours.call(operations.getTokenInstance, { params })).rejects.toMatchObject({ status: 404 });
  });

  it('is rejected if it is already in use, does not exist, or belongs to an unknown library', async () => {
    const { serial, label } = await add({ isActive: false });
    const create = (attributes: ReturnType<typeof tokenValues>, name = 'Other') =>
      ours.call(operations.createTokenInstance, { body: { name, kind: 'PKCS11', attributes } });
    await expect(create(tokenValues(serial, label))).rejects.toThrow('it is already in use as "');
    await expect(create(tokenValues('0000', 'No such'))).rejects.toMatchObject({ status: 422 });
    await expect(create(tokenValues(serial, label, '/tmp/evil.so'))).rejects.toMatchObject({ status: 422 });
    await expect(create(tokenValues(serial, label), ' ')).rejects.toThrow('The token must have a name.');
  });

  it("tries a wrong PIN once, reports the token's retry counter, and never retries that PIN", async () => {
    const token = await add({ isActive: false });
    const params = { uuid: token.uuid };
    const wrong = ours.call(operations.activateTokenInstance, { params, body: pinValues('not the pin', true) });
    await expect(wrong).rejects.toMatchObject({ status: 422, message: expect.stringContaining('Wrong PIN.') });
    await expect(wrong).rejects.toThrow('the token counts wrong PINs.');
    const { status, components } = await statusOf(ours.call, token);
    expect(status).toBe('Deactivated');
    expect(components?.['pin']).toMatchObject({ status: 'Warning', details: { countLow: true, locked: false } });
    await expect(ours.call(operations.listKeys, { params })).rejects.toThrow('is not active');
    await ours.call(operations.activateTokenInstance, { params, body: pinValues(token.pin) });
    expect((await statusOf(ours.call, token)).components?.['pin']?.status).toBe('Connected');
  });

  it('does not try a different PIN while it is active', async () => {
    const token = await add();
    const params = { uuid: token.uuid };
    await expect(ours.call(operations.activateTokenInstance, { params, body: pinValues('other') })).rejects.toThrow(
      'this PIN was not tried',
    );
    expect((await statusOf(ours.call, token)).components?.['pin']?.details).toMatchObject({ countLow: false });
    await ours.call(operations.activateTokenInstance, { params, body: pinValues(token.pin) });
    expect((await statusOf(ours.call, token)).status).toBe('Activated');
  });

  it('stays active across a restart only if requested', async () => {
    const [stays, doesNot] = [await add({ staysActive: true }), await add()];
    const restarted = await ours.again();
    expect((await statusOf(restarted.call, stays)).status).toBe('Activated');
    expect((await statusOf(restarted.call, doesNot)).status).toBe('Deactivated');
    const signed = await (await createSigner(stays, restarted.call))();
    expect(signed.length).toBeGreaterThan(60);
  });

  it('drops a stored PIN that the token rejects, on every node', async () => {
    const token = await add({ staysActive: true });
    const sealed = ours.context.seal(Buffer.from('not the current PIN'), `pkcs11-tokens:pin:${token.uuid}`);
    await ours.pool.query(`UPDATE ${ours.context.storage.table('token')} SET sealed_pin = $2 WHERE uuid = $1`, [
      token.uuid,
      sealed,
    ]);
    const [one, other] = [await ours.again(), await ours.again()];
    const outcomes = await Promise.allSettled(
      [one, other].map(({ call }) => call(operations.listKeys, { params: { uuid: token.uuid } })),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    const { status, components } = await statusOf((await ours.again()).call, token);
    expect(status).toBe('Deactivated');
    expect(components?.['session']?.details?.['problem']).toContain('rejected the stored PIN');
    const { rows } = await ours.pool.query(
      `SELECT sealed_pin, deactivations FROM ${ours.context.storage.table('token')} WHERE uuid = $1`,
      [token.uuid],
    );
    // One rejection: the second node did not try the PIN.
    expect(rows).toEqual([{ sealed_pin: null, deactivations: 1 }]);
  });

  it('continues to sign after its process is killed, including calls in flight', async () => {
    const token = await add();
    const signOnce = await createSigner(token);
    const pid = await pidOf(token);
    const underWay = Array.from({ length: 40 }, signOnce);
    process.kill(pid, 'SIGKILL');
    const outcomes = await Promise.allSettled(underWay);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await pidOf(token)).not.toBe(pid);
    expect((await statusOf(ours.call, token)).status).toBe('Activated');
  });

  it('is shown as disconnected while it is absent', async () => {
    const token = await add();
    const signOnce = await createSigner(token);
    await signOnce();
    const { serial, label } = token;
    const pid = await pidOf(token);
    await ours.softHsm.removeToken(serial);
    await expect(signOnce()).rejects.toMatchObject({ name: 'ConnectorError' });
    // SoftHSM enumerates its tokens only when it is loaded.
    process.kill(pid, 'SIGKILL');
    await expect(signOnce()).rejects.toMatchObject({ status: 503 });
    const { status, components } = await statusOf(ours.call, token);
    expect(status).toBe('Disconnected');
    expect(components?.['token']?.details?.['problem']).toContain(`label "${label}" and serial number ${serial}`);
  });
});

describe('a PKCS #11 library', () => {
  let ours: TestTokens;
  beforeAll(async () => {
    ours = await startTestTokens();
  });
  const form = (call: TestTokens['call']) =>
    call(connectorBaseOperations.listAttributeDefinitions, {
      params: { functionalGroup: 'cryptographyProvider', kind: 'PKCS11' },
    });

  it('results in a form that explains how to configure one if none is configured', async () => {
    const { call } = await ours.again({ libraries: undefined });
    const [info, ...others] = await form(call);
    expect(info?.type === 'info' && info.content[0]?.data).toContain('--pkcs11-libraries');
    expect(others).toEqual([]);
    expect(await call(connectorBaseOperations.checkHealth, {})).toMatchObject({ status: 'ok' });
    const body = { name: 'Any', kind: 'PKCS11', attributes: tokenValues('1', 'a') };
    await expect(call(operations.createTokenInstance, { body })).rejects.toMatchObject({ status: 422 });
  });

  it('is reported with the reason if it cannot be loaded, and the platform continues to run', async () => {
    const { call } = await ours.again({ libraries: { gone: '/nonexistent/libp11.so', broken: '/etc/hostname' } });
    await expect(call(operations.getCreateTokenAttributes, { params: { option: 'gone' } })).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/Cannot load library gone \(\/nonexistent\/libp11\.so\)|pkcs11js/),
    });
    const health = await call(connectorBaseOperations.checkHealth, {});
    expect(health).toMatchObject({
      status: 'unknown',
      parts: { database: { status: 'ok' }, gone: { status: 'nok' }, broken: { status: 'nok' } },
    });
  });
});
