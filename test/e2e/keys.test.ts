// Tokens, token profiles and keys from the client's perspective: over HTTP, with the built-in software provider.
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import type { Client } from '@signetry/client';
import { SIGNATURE_ATTRIBUTES, type KeyDetailDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { userWithRole } from './testing/limited-user.ts';
import {
  ACTIVATION_CODE,
  activate,
  createKey,
  createProfile,
  createToken,
  createTokenWithProfile,
  itemPath,
  textValue,
  type TokenPath,
} from './testing/tokens.ts';

const server = sharedTestServer();
let client: Client;
let path: TokenPath;

beforeAll(async () => {
  ({ client } = server);
  path = await createTokenWithProfile(client);
});

const rejectionOf = (call: Promise<unknown>): Promise<{ status: number; body: unknown }> =>
  call.then(
    () => expect.fail('the request was not rejected'),
    (error: { status: number; body: unknown }) => ({ status: error.status, body: error.body }),
  );
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const digest = [textValue(SIGNATURE_ATTRIBUTES.digest.name, 'SHA-256')];
const sign = (key: KeyDetailDto, data = 'hello', of = path) =>
  client.keyUse.signData({
    params: itemPath(of, key, 'Private'),
    body: { signatureAttributes: digest, data: [{ data: base64(data), identifier: 'first' }] },
  });
const stateOf = async (uuid: string) =>
  (await client.keys.getKey({ params: { uuid } })).items.map(({ type, state, enabled }) => ({ type, state, enabled }));
const historyOf = (key: KeyDetailDto, type: 'Private' | 'Public' = 'Private') =>
  client.keys.getKeyItemHistory({ params: itemPath(path, key, type) });

describe('the attribute lists of a key', () => {
  it('are also returned if the token is specified instead of the token profile, but not for a different profile', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const params = { ...itemPath(path, key, 'Private'), algorithm: 'ECDSA' } as const;
    const listed = await client.keyUse.listSignatureAttributes({ params });
    expect(listed).not.toEqual([]);
    const withToken = { ...params, tokenProfileUuid: path.tokenInstanceUuid };
    expect(await client.keyUse.listSignatureAttributes({ params: withToken })).toEqual(listed);
    await client.keyUse.listCipherAttributes({ params: withToken });
    const elsewhere = { ...params, tokenProfileUuid: randomUUID() };
    expect(await rejectionOf(client.keyUse.listSignatureAttributes({ params: elsewhere }))).toMatchObject({
      status: 404,
    });
    const { algorithm: _unused, ...item } = withToken;
    const body = { signatureAttributes: digest, data: [{ data: base64('x') }] };
    expect(await rejectionOf(client.keyUse.signData({ params: item, body }))).toMatchObject({ status: 404 });
  });

  it('require permission to see the token profile, whichever form of the path is used', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const { client: limited } = await userWithRole(server, [
      { name: 'keys', allowAllActions: true },
      { name: 'tokens', allowAllActions: true },
    ]);
    const params = { ...itemPath(path, key, 'Private'), algorithm: 'ECDSA' } as const;
    for (const tokenProfileUuid of [path.tokenProfileUuid, path.tokenInstanceUuid]) {
      const call = limited.keyUse.listSignatureAttributes({ params: { ...params, tokenProfileUuid } });
      expect(await rejectionOf(call)).toMatchObject({ status: 404 });
    }
  });
});

describe('a token', () => {
  it("is returned with its provider's status, but without its activation code", async () => {
    const uuid = await createToken(client, 'vault');
    const shown = await client.tokens.getTokenInstance({ params: { uuid } });
    expect(shown).toMatchObject({ name: 'vault', kind: 'SOFT', status: { status: 'Activated' }, tokenProfiles: 0 });
    expect(JSON.stringify(shown)).not.toContain(ACTIVATION_CODE);
    await client.tokens.deactivateTokenInstance({ params: { uuid } });
    const listed = await client.tokens.listTokenInstances();
    expect(listed.find((token) => token.uuid === uuid)).toMatchObject({ status: 'Deactivated' });
    expect(await rejectionOf(activate(client, uuid, 'another-code'))).toMatchObject({ status: 422 });
    await activate(client, uuid);
    expect((await client.tokens.reloadTokenInstanceStatus({ params: { uuid } })).status.status).toBe('Activated');
    await client.tokens.deleteTokenInstance({ params: { uuid } });
    expect(await rejectionOf(client.tokens.getTokenInstance({ params: { uuid } }))).toMatchObject({ status: 404 });
  });

  it('can be edited without its activation code, which the platform does not store', async () => {
    const uuid = await createToken(client);
    const { name, attributes, connectorUuid = '', kind } = await client.tokens.getTokenInstance({ params: { uuid } });
    expect(attributes.map((attribute) => attribute.name)).not.toContain('data_activationCode');
    const body = { name, kind, connectorUuid, customAttributes: [], attributes: [] };
    const changed = await client.tokens.updateTokenInstance({ params: { uuid }, body });
    expect(changed.status.status).toBe('Activated');
    await client.tokens.deleteTokenInstance({ params: { uuid } });
  });

  it('cannot be deleted while it has profiles, which are named in the error', async () => {
    const { tokenInstanceUuid: uuid, tokenProfileUuid } = await createTokenWithProfile(client);
    const { name } = await client.tokenProfiles.getTokenProfile({
      params: { tokenInstanceUuid: uuid, uuid: tokenProfileUuid },
    });
    expect(await rejectionOf(client.tokens.deleteTokenInstance({ params: { uuid } }))).toEqual({
      status: 422,
      body: [expect.stringContaining(`Dependent token profiles (1): ${name}`)],
    });
    await client.tokenProfiles.bulkDeleteTokenProfiles({ body: [tokenProfileUuid] });
    await client.tokens.deleteTokenInstance({ params: { uuid } });
  });

  it('returns the requested number of random bytes', async () => {
    const params = { tokenInstanceUuid: path.tokenInstanceUuid };
    const { data } = await client.keyUse.randomData({ params, body: { length: 33 } });
    expect(Buffer.from(data, 'base64')).toHaveLength(33);
    expect(await rejectionOf(client.keyUse.randomData({ params, body: { length: 0 } }))).toMatchObject({ status: 422 });
  });
});

describe('a key', () => {
  it('creates signatures that can be verified by the platform and by other software, and records their creation', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const { signatures } = await sign(key);
    expect(signatures[0]?.identifier).toBe('first');
    const spki = key.items.find(({ type }) => type === 'Public')?.keyData ?? '';
    const publicKey = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
    expect(verify('sha256', Buffer.from('hello'), publicKey, Buffer.from(signatures[0]?.data ?? '', 'base64'))).toBe(
      true,
    );
    const { verifications } = await client.keyUse.verifyData({
      params: itemPath(path, key, 'Public'),
      body: {
        signatureAttributes: digest,
        data: [{ data: base64('hello') }],
        signatures: [{ data: signatures[0]?.data ?? '' }],
      },
    });
    expect(verifications[0]?.result).toBe(true);
    expect((await historyOf(key)).map(({ event, status }) => [event, status])).toEqual([
      ['Sign Data', 'SUCCESS'],
      ['Create Key', 'SUCCESS'],
    ]);
  });

  it('keeps its private part in its token', async () => {
    const key = await createKey(client, path, { specification: 'RSA-2048' });
    const halves = key.items.map(({ type, format, usage, length }) => ({ type, format, usage, length }));
    expect(halves).toEqual([
      { type: 'Public', format: 'SubjectPublicKeyInfo', usage: ['verify', 'encrypt'], length: 2048 },
      { type: 'Private', format: 'Custom', usage: ['sign', 'decrypt'], length: 2048 },
    ]);
    expect(key.items.find(({ type }) => type === 'Private')?.keyData).toBeUndefined();
  });

  it('is found by its fields, its token and its profile', async () => {
    const key = await createKey(client, path, { specification: 'ML-DSA-44', name: 'post-quantum' });
    const { name: profile } = await client.tokenProfiles.getTokenProfile({
      params: { ...path, uuid: path.tokenProfileUuid },
    });
    const found = await client.keys.listKeys({
      body: {
        filters: [
          {
            fieldSource: 'property',
            fieldIdentifier: 'CKI_CRYPTOGRAPHIC_ALGORITHM',
            condition: 'EQUALS',
            value: ['ML-DSA'],
          },
          { fieldSource: 'property', fieldIdentifier: 'CK_TOKEN_PROFILE', condition: 'EQUALS', value: [profile] },
          { fieldSource: 'property', fieldIdentifier: 'CKI_USAGE', condition: 'EQUALS', value: ['sign'] },
        ],
      },
    });
    expect(found.cryptographicKeys.map(({ keyWrapperUuid, type }) => [keyWrapperUuid, type])).toEqual([
      [key.uuid, 'Private'],
    ]);
    const pairs = await client.keys.listKeyPairs({ query: { tokenProfileUuid: path.tokenProfileUuid } });
    expect(pairs.map(({ uuid }) => uuid)).toContain(key.uuid);
  });

  it('encrypts and decrypts with a secret key, regardless of how the algorithm name is written', async () => {
    const key = await createKey(client, path, { specification: 'AES-256' });
    const params = itemPath(path, key, 'Secret');
    const body = { cipherAttributes: [], cipherData: [{ data: base64('between us') }] };
    const { encryptedData } = await client.keyUse.encryptData({ params, body });
    const { decryptedData } = await client.keyUse.decryptData({
      params,
      body: { cipherAttributes: [], cipherData: [{ data: encryptedData[0]?.data ?? '' }] },
    });
    expect(decryptedData[0]?.data).toBe(base64('between us'));
  });

  it('cannot be used while it is disabled, lacks the usage, or is in a disabled profile or a deactivated token', async () => {
    const own = await createTokenWithProfile(client);
    const key = await createKey(client, own, { specification: 'P-256', enabled: false });
    const signRejection = async () => (await rejectionOf(sign(key, 'hello', own))).body;
    expect(await signRejection()).toEqual([expect.stringContaining('is disabled')]);
    await client.keys.enableKey({ params: { uuid: key.uuid }, body: [] });
    await client.keys.updateKeyUsages({ params: { uuid: key.uuid }, body: { usage: [] } });
    expect(await signRejection()).toEqual([expect.stringContaining('is not permitted to sign')]);
    await client.keys.updateKeyUsages({ params: { uuid: key.uuid }, body: { usage: ['sign', 'verify'] } });
    await client.tokenProfiles.disableTokenProfiles({ body: [own.tokenProfileUuid] });
    expect(await signRejection()).toEqual([expect.stringContaining('is disabled; enable it first')]);
    await client.tokenProfiles.enableTokenProfiles({ body: [own.tokenProfileUuid] });
    await client.tokens.deactivateTokenInstance({ params: { uuid: own.tokenInstanceUuid } });
    expect(JSON.stringify(await rejectionOf(sign(key, 'hello', own)))).toMatch(/activate/i);
    await activate(client, own.tokenInstanceUuid);
    await sign(key, 'hello', own);
  });

  it('can be used only under its own token and profile', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const other = await createProfile(client, path.tokenInstanceUuid);
    expect(await rejectionOf(sign(key, 'hello', { ...path, tokenProfileUuid: other }))).toMatchObject({ status: 404 });
    await client.keys.editKey({
      params: { uuid: key.uuid },
      body: { name: `moved ${randomUUID()}`, description: '', tokenProfileUuid: other },
    });
    await sign(key, 'hello', { ...path, tokenProfileUuid: other });
    expect(await rejectionOf(sign(key))).toMatchObject({ status: 404 });
  });

  it('cannot be given usages that its type does not support', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const { keyItemUuid } = itemPath(path, key, 'Public');
    expect(
      await rejectionOf(client.keys.updateKeyItemUsages({ body: { usage: ['sign'], uuids: [keyItemUuid] } })),
    ).toEqual({ status: 422, body: [expect.stringContaining('cannot sign: it is a public key (ECDSA)')] });
  });

  it('can be marked as compromised and destroyed, and is then never used again', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const params = { uuid: key.uuid };
    await client.keys.compromiseKey({ params, body: { reason: 'disclosure' } });
    expect(await rejectionOf(sign(key))).toEqual({ status: 422, body: [expect.stringContaining('is compromised')] });
    expect(await rejectionOf(client.keys.compromiseKey({ params, body: { reason: 'disclosure' } }))).toMatchObject({
      status: 422,
    });
    await client.keys.destroyKey({ params, body: [] });
    expect(await stateOf(key.uuid)).toEqual([
      { type: 'Public', state: 'destroyedCompromised', enabled: false },
      { type: 'Private', state: 'destroyedCompromised', enabled: false },
    ]);
    expect(await rejectionOf(sign(key))).toMatchObject({ status: 422 });
    const events = (await historyOf(key)).map(({ event, status }) => [event, status]);
    expect(events[0]).toEqual(['Destroy Key', 'SUCCESS']);
    expect(events).toContainEqual(['Compromised Key', 'FAILED']);
    await client.keys.deleteKey({ params, body: [] });
    expect(await rejectionOf(client.keys.getKey({ params }))).toMatchObject({ status: 404 });
  });

  it('creates no signature once it is reported as destroyed, even with many concurrent callers', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    let destroyedAt = Infinity;
    const signing = Array.from({ length: 100 }, async () => {
      const outcome = await sign(key).then(
        () => 'signed',
        () => 'refused',
      );
      return { outcome, at: performance.now() };
    });
    const destroying = client.keys.destroyKey({ params: { uuid: key.uuid }, body: [] }).then(() => {
      destroyedAt = performance.now();
    });
    const [answers] = await Promise.all([Promise.all(signing), destroying]);
    expect(await rejectionOf(sign(key))).toMatchObject({ status: 422 });
    const counted = (await historyOf(key)).filter(({ event, status }) => event === 'Sign Data' && status === 'SUCCESS');
    expect(counted).toHaveLength(answers.filter(({ outcome }) => outcome === 'signed').length);
    expect(destroyedAt).toBeLessThan(Infinity);
  });

  it('can be changed in bulk, and rejected keys are named', async () => {
    const [one, two] = [
      await createKey(client, path, { specification: 'P-256' }),
      await createKey(client, path, { specification: 'P-256', enabled: false }),
    ];
    const missing = randomUUID();
    const { status, body } = await rejectionOf(client.keys.disableKeys({ body: [one.uuid, two.uuid, missing] }));
    expect(status).toBe(422);
    expect(body).toHaveLength(3);
    expect(JSON.stringify(body)).toContain(missing);
    expect((await stateOf(one.uuid)).every(({ enabled }) => !enabled)).toBe(true);
  });
});

describe('token synchronization', () => {
  it('imports unknown keys as disabled, and states where they came from', async () => {
    const own = await createTokenWithProfile(client);
    const known = await createKey(client, own, { specification: 'P-256' });
    await client.keys.syncKeys({ params: { tokenInstanceUuid: own.tokenInstanceUuid } });
    const { totalItems } = await client.keys.listKeys({
      body: {
        filters: [{ fieldSource: 'property', fieldIdentifier: 'CKI_NAME', condition: 'CONTAINS', value: known.name }],
      },
    });
    expect(totalItems).toBe(2);
  });
});

describe('oversized input', () => {
  it('is rejected because of its size, with an explanation, before a key is used', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const call = (data: { data: string }[]) =>
      client.keyUse.signData({ params: itemPath(path, key, 'Private'), body: { signatureAttributes: digest, data } });
    const huge = Buffer.alloc(2 * 1024 * 1024).toString('base64');
    await expect(call([{ data: huge }])).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(/larger|MiB|bytes/),
    });
    await expect(call(Array.from({ length: 1_001 }, () => ({ data: 'AAAA' })))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('at most 1000 are accepted'),
    });
    await call([{ data: Buffer.alloc(512 * 1024).toString('base64') }]);
    expect((await historyOf(key)).map(({ event }) => event)).toEqual(['Sign Data', 'Create Key']);
  });
});

describe('an incorrect activation code', () => {
  it('is rejected, counted and audited, and repeated incorrect codes lock the token temporarily', async () => {
    const uuid = await createToken(client);
    await client.tokens.deactivateTokenInstance({ params: { uuid } });
    for (let attempt = 1; attempt <= 5; attempt += 1)
      await expect(activate(client, uuid, `wrong-code-${attempt}`)).rejects.toMatchObject({ status: 422 });
    await expect(activate(client, uuid)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/lock/i),
    });
    const { status } = await client.tokens.getTokenInstance({ params: { uuid } });
    expect(JSON.stringify(status)).toMatch(/"wrongCodes":5/);
    const filters = [
      {
        fieldSource: 'property',
        fieldIdentifier: 'AUDIT_LOG_RESOURCE_UUID',
        condition: 'EQUALS',
        value: uuid,
      } as const,
    ];
    const { items } = await client.auditLogs.listAuditLogs({ body: { filters, itemsPerPage: 100 } });
    const signRejection = items.filter(
      ({ operation, operationResult }) => operation === 'activate' && operationResult === 'failure',
    );
    expect(signRejection).toHaveLength(6);
  });
});

describe('a search for a key by name', () => {
  it('finds the key by its own name and by the names of its items', async () => {
    const alias = `slot-${randomUUID()}`;
    const key = await createKey(client, path, { specification: 'P-256', alias });
    const found = async (condition: 'EQUALS' | 'NOT_EQUALS' | 'CONTAINS' | 'STARTS_WITH', value: string) => {
      const filter = { fieldSource: 'property', fieldIdentifier: 'CKI_NAME', condition, value } as const;
      const { cryptographicKeys } = await client.keys.listKeys({ body: { filters: [filter], itemsPerPage: 1000 } });
      return cryptographicKeys.filter(({ keyWrapperUuid }) => keyWrapperUuid === key.uuid);
    };
    for (const name of [alias, key.name]) {
      expect((await found('EQUALS', name)).map((item) => [item.keyName, item.name])).toEqual([
        [key.name, alias],
        [key.name, alias],
      ]);
      expect(await found('CONTAINS', name.slice(3))).toHaveLength(2);
      expect(await found('STARTS_WITH', name.slice(0, 20))).toHaveLength(2);
      expect(await found('NOT_EQUALS', name)).toHaveLength(0);
    }
    expect(await found('EQUALS', alias.slice(1))).toHaveLength(0);
  });
});

describe('users with limited permissions', () => {
  it('can see keys in tokens that they are members of, and use keys in profiles that they can see', async () => {
    const key = await createKey(client, path, { specification: 'P-256' });
    const { client: limited } = await userWithRole(server, [
      { name: 'keys', allowAllActions: false, actions: ['list', 'detail', 'sign'] },
      {
        name: 'tokens',
        allowAllActions: false,
        actions: [],
        objects: [{ uuid: path.tokenInstanceUuid, name: '', allow: ['members', 'detail'], deny: [] }],
      },
    ]);
    const listed = await limited.keys.listKeys({ body: {} });
    expect(
      listed.cryptographicKeys.every(({ tokenInstanceUuid }) => tokenInstanceUuid === path.tokenInstanceUuid),
    ).toBe(true);
    expect(
      await rejectionOf(
        limited.keyUse.signData({
          params: itemPath(path, key, 'Private'),
          body: { signatureAttributes: digest, data: [{ data: base64('x') }] },
        }),
      ),
    ).toMatchObject({ status: 403 });
  });
});

describe('a key destroyed and deleted by concurrent callers', () => {
  it('is removed, and no caller gets a server error', async () => {
    const statuses = new Set<number>();
    const recordStatus = (call: Promise<unknown>) =>
      call.then(
        () => statuses.add(200),
        ({ status }: { status: number }) => statuses.add(status),
      );
    for (let round = 0; round < 12; round++) {
      const key = await createKey(client, path, { specification: 'P-256' });
      const items = key.items.map(({ uuid }) => uuid);
      const later = new Promise((resolve) => void setTimeout(resolve, round));
      await Promise.all([
        recordStatus(client.keys.destroyKeys({ body: [key.uuid] })),
        recordStatus(client.keys.destroyKeyItems({ body: items })),
        recordStatus(later.then(() => client.keys.deleteKeys({ body: [key.uuid] }))),
      ]);
      expect((await rejectionOf(client.keys.getKey({ params: { uuid: key.uuid } }))).status).toBe(404);
    }
    expect([...statuses].filter((status) => ![200, 404, 422].includes(status))).toEqual([]);
  });
});
