// Keys in SoftHSM: generation, existing keys, operations and destruction.
import { constants, createPublicKey, publicEncrypt, verify } from 'node:crypto';
import { CIPHER_ATTRIBUTES, cryptographyProviderOperations as operations, OFFERED_DIGESTS } from '@signetry/contract';
import { parsePublicKey } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { HAS_SOFT_HSM, SOFT_HSM_NOTE } from './testing/soft-hsm.ts';
import { addToken, makePair, sign, startTestTokens, type ReadyToken, type TestTokens } from './testing/test-tokens.ts';
import { attribute, keyValues, signatureValues } from './testing/token-values.ts';

const DATA = Buffer.from('What is signed here');
const SHA256 = signatureValues({ digest: 'SHA-256' });

const spkiOf = ({ keyData }: { readonly keyData: { readonly value: object } }): Buffer =>
  Buffer.from('value' in keyData.value ? String(keyData.value.value) : '', 'base64');

describe.skipIf(!HAS_SOFT_HSM)(`keys in a token${SOFT_HSM_NOTE}`, () => {
  let ours: TestTokens;
  let token: ReadyToken;
  let params: { uuid: string };

  beforeAll(async () => {
    ours = await startTestTokens();
    token = await addToken(ours);
    params = { uuid: token.uuid };
  });

  const verdict = async (keyUuid: string, how: ReturnType<typeof signatureValues>, signature: Uint8Array) => {
    const item = (bytes: Uint8Array) => [{ data: Buffer.from(bytes).toString('base64') }];
    const body = { signatureAttributes: how, data: item(DATA), signatures: item(signature) };
    const { verifications } = await ours.call(operations.verifyData, { params: { ...params, keyUuid }, body });
    return verifications[0]?.result;
  };

  it('are offered if the token can generate them', async () => {
    const choices = async (operation: 'listCreateKeyPairAttributes' | 'listCreateSecretKeyAttributes') =>
      (await ours.call(operations[operation], { params })).flatMap((each) =>
        each.name === 'data_keyAlgorithm' && each.type === 'data' ? (each.content ?? []).map(({ data }) => data) : [],
      );
    expect(await choices('listCreateKeyPairAttributes')).toEqual([
      'P-256', 'P-384', 'P-521', 'RSA-2048', 'RSA-3072', 'RSA-4096', 'Ed25519', 'Ed448',
    ]); // prettier-ignore
    expect(await choices('listCreateSecretKeyAttributes')).toEqual([
      'AES-256', 'AES-192', 'AES-128', 'HMAC-SHA-256', 'HMAC-SHA-384', 'HMAC-SHA-512',
    ]); // prettier-ignore
  });

  it.each([
    ['P-256', 'ECDSA', 256],
    ['P-384', 'ECDSA', 384],
    ['P-521', 'ECDSA', 521],
    ['Ed25519', 'Unknown', 256],
    ['Ed448', 'Unknown', 456],
    ['RSA-2048', 'RSA', 2048],
  ])(
    'of type %s can be generated, and other implementations verify their signatures',
    async (algorithm, family, length) => {
      const { publicKeyData, privateKeyData } = await makePair(ours.call, token, [`made ${algorithm}`, algorithm]);
      expect(publicKeyData).toMatchObject({ name: `made ${algorithm}`, keyData: { algorithm: family, length } });
      expect(privateKeyData.keyData).toMatchObject({ type: 'Private', format: 'Custom', length });
      const spki = parsePublicKey(spkiOf(publicKeyData));
      // The key identifier that certificates use.
      expect(publicKeyData.association).toBe(privateKeyData.association);
      expect(privateKeyData.association).toMatch(/^[0-9a-f]{40}$/);
      const scheme = algorithm.startsWith('RSA') ? 'PKCS1-v1_5' : undefined;
      const isEdwards = algorithm.startsWith('Ed');
      const how = isEdwards ? [] : signatureValues({ ...(scheme ? { scheme } : {}), digest: 'SHA-256' });
      const signature = await sign(ours.call, token, { keyUuid: privateKeyData.uuid, data: DATA, how });
      const key = createPublicKey({ key: Buffer.from(spki.spki), format: 'der', type: 'spki' });
      expect(verify(isEdwards ? null : 'sha256', DATA, key, signature)).toBe(true);
      expect(await verdict(publicKeyData.uuid, how, signature)).toBe(true);
      const [first = 0, ...rest] = signature.toReversed();
      expect(await verdict(publicKeyData.uuid, how, Uint8Array.from([first ^ 1, ...rest]).toReversed())).toBe(false);
    },
  );

  it('of type RSA sign with both padding schemes and every digest that the token supports', async () => {
    const { privateKeyData, publicKeyData } = await makePair(ours.call, token, ['digests', 'RSA-2048']);
    for (const scheme of ['PKCS1-v1_5', 'PSS']) {
      for (const digest of OFFERED_DIGESTS) {
        const how = signatureValues({ scheme, digest });
        const signed = sign(ours.call, token, { keyUuid: privateKeyData.uuid, data: DATA, how });
        // SoftHSM 2.6 supports only SHA-2 in PSS parameters.
        if (scheme === 'PSS' && digest.startsWith('SHA3'))
          await expect(signed).rejects.toMatchObject({ status: 422, message: expect.stringContaining('CKR_') });
        else expect(await verdict(publicKeyData.uuid, how, await signed)).toBe(true);
      }
    }
  });

  it('are sensitive and never leave the token', async () => {
    const { privateKeyData } = await makePair(ours.call, token, ['protected', 'P-256']);
    expect(JSON.stringify(privateKeyData.keyData.value)).not.toContain('"value"');
    const form = { params: { ...params, keyUuid: privateKeyData.uuid } };
    expect((await ours.call(operations.getKey, form)).keyData.value).toEqual({
      values: { id: privateKeyData.association, label: 'protected' },
    });
  });

  it('that already existed are always listed under the same identifiers, on every node', async () => {
    const { publicKeyData, privateKeyData } = await makePair(ours.call, token, ['listed', 'P-256']);
    await ours.pool.query(`DELETE FROM ${ours.context.storage.table('key')}`);
    const node = await ours.again();
    await node.call(operations.activateTokenInstance, {
      params,
      body: [attribute('data_pin', 'secret', { secret: token.pin })],
    });
    const [first, second] = await Promise.all(
      [ours.call, node.call].map((call) => call(operations.listKeys, { params })),
    );
    expect(first).toEqual(second);
    const uuids = first?.map(({ uuid }) => uuid);
    expect(uuids).toContain(publicKeyData.uuid);
    const signature = await sign(node.call, token, { keyUuid: privateKeyData.uuid, data: DATA, how: SHA256 });
    expect(await verdict(publicKeyData.uuid, SHA256, signature)).toBe(true);
  });

  it('of an unsupported type or for an unsupported use are rejected', async () => {
    await expect(makePair(ours.call, token, ['other', 'ML-DSA-65'])).rejects.toMatchObject({ status: 422 });
    await expect(makePair(ours.call, token, ['other', 'P-256', 'sign', 'decrypt'])).rejects.toThrow(
      'cannot be used to decrypt',
    );
  });

  it('of type RSA decrypt data encrypted with the public key, if decryption is one of their uses', async () => {
    const both = await makePair(ours.call, token, ['both', 'RSA-2048']);
    const signing = await makePair(ours.call, token, ['signing only', 'RSA-2048', 'sign']);
    const pkcs1 = [attribute(CIPHER_ATTRIBUTES.scheme.name, 'string', 'PKCS1-v1_5')];
    const oaep = (digest: string, mgf: boolean) => [
      attribute(CIPHER_ATTRIBUTES.scheme.name, 'string', 'OAEP'),
      attribute(CIPHER_ATTRIBUTES.oaepDigest.name, 'string', digest),
      attribute(CIPHER_ATTRIBUTES.oaepMgf.name, 'boolean', mgf),
    ];
    const roundTrip = async ({ publicKeyData, privateKeyData }: typeof both, cipherAttributes = pkcs1) => {
      const cipherData = [{ data: DATA.toString('base64'), identifier: '1' }];
      const { encryptedData } = await ours.call(operations.encryptData, {
        params: { ...params, keyUuid: publicKeyData.uuid },
        body: { cipherAttributes, cipherData },
      });
      const { decryptedData } = await ours.call(operations.decryptData, {
        params: { ...params, keyUuid: privateKeyData.uuid },
        body: { cipherAttributes, cipherData: encryptedData.map(({ data }) => ({ data, identifier: '1' })) },
      });
      return decryptedData;
    };
    expect(await roundTrip(both)).toEqual([{ data: DATA.toString('base64'), identifier: '1' }]);
    await expect(roundTrip(signing)).rejects.toThrow('the key does not permit this operation');
    // SoftHSM 2.6 supports OAEP only with SHA-1: it performs the RSA operation, and the rest is done outside the token.
    for (const cipherAttributes of [oaep('SHA-256', true), oaep('SHA-512', false)])
      expect(await roundTrip(both, cipherAttributes)).toEqual([{ data: DATA.toString('base64'), identifier: '1' }]);
    const key = createPublicKey({ key: spkiOf(both.publicKeyData), format: 'der', type: 'spki' });
    const sha1 = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, DATA);
    expect(
      await ours.call(operations.decryptData, {
        params: { ...params, keyUuid: both.privateKeyData.uuid },
        body: { cipherAttributes: oaep('SHA-1', true), cipherData: [{ data: sha1.toString('base64') }] },
      }),
    ).toEqual({ decryptedData: [{ data: DATA.toString('base64') }] });
    await expect(roundTrip(signing, oaep('SHA-256', true))).rejects.toThrow('the key does not permit this operation');
    const made = await ours.call(operations.encryptData, {
      params: { ...params, keyUuid: both.publicKeyData.uuid },
      body: { cipherAttributes: oaep('SHA-256', true), cipherData: [{ data: 'AAAA' }] },
    });
    await expect(
      ours.call(operations.decryptData, {
        params: { ...params, keyUuid: both.privateKeyData.uuid },
        body: { cipherAttributes: oaep('SHA-384', true), cipherData: made.encryptedData },
      }),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('cannot be decrypted') });
  });

  it('of type AES encrypt, and of type HMAC authenticate, inside the token', async () => {
    const create = (alias: string, algorithm: string) =>
      ours.call(operations.createSecretKey, {
        params,
        body: { tokenProfileAttributes: [], createKeyAttributes: keyValues(alias, algorithm) },
      });
    const aes = await create('aes', 'AES-256');
    expect(aes.keyData).toMatchObject({ type: 'Secret', algorithm: 'Unknown', length: 256 });
    const use = { params: { ...params, keyUuid: aes.uuid } };
    const { encryptedData } = await ours.call(operations.encryptData, {
      ...use,
      body: { cipherAttributes: [], cipherData: [{ data: DATA.toString('base64') }] },
    });
    const [hidden] = encryptedData.map(({ data }) => Buffer.from(data, 'base64'));
    expect(hidden?.length).toBe(12 + DATA.length + 16);
    const open = (bytes: Buffer | undefined) =>
      ours.call(operations.decryptData, {
        ...use,
        body: { cipherAttributes: [], cipherData: [{ data: bytes?.toString('base64') ?? '' }] },
      });
    expect((await open(hidden)).decryptedData[0]?.data).toBe(DATA.toString('base64'));
    hidden?.writeUInt8((hidden[14] ?? 0) ^ 1, 14);
    await expect(open(hidden)).rejects.toMatchObject({ name: 'ConnectorError' });
    const hmac = await create('hmac', 'HMAC-SHA-256');
    const tag = await sign(ours.call, token, { keyUuid: hmac.uuid, data: DATA, how: [] });
    expect(tag.length).toBe(32);
    expect(await verdict(hmac.uuid, [], tag)).toBe(true);
    expect(await verdict(hmac.uuid, [], tag.toReversed())).toBe(false);
  });

  it('sign nothing after their destruction is confirmed, regardless of the number of calls in flight', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, (_, index) => makePair(ours.call, token, [`end ${index}`, 'P-256'])),
    );
    let late = 0;
    const outcomes = await Promise.all(
      keys.map(async ({ privateKeyData: { uuid: keyUuid } }) => {
        let isDestroyed = false;
        const signing = Array.from({ length: 5 }, async () => {
          try {
            await sign(ours.call, token, { keyUuid, data: DATA, how: SHA256 });
            if (isDestroyed) late += 1;
            return 'signed';
          } catch (error) {
            return (error as { status: number }).status;
          }
        });
        await ours.call(operations.destroyKey, { params: { ...params, keyUuid } });
        isDestroyed = true;
        await expect(sign(ours.call, token, { keyUuid, data: DATA, how: SHA256 })).rejects.toMatchObject({
          status: 404,
        });
        return Promise.all(signing);
      }),
    );
    expect(late).toBe(0);
    expect(new Set(outcomes.flat()).isSubsetOf(new Set(['signed', 404]))).toBe(true);
    const left = await ours.call(operations.listKeys, { params });
    expect(left.filter(({ name, keyData }) => name.startsWith('end ') && keyData.type === 'Private')).toEqual([]);
  });

  it('come from the token, as do random bytes of the requested length', async () => {
    const { data } = await ours.call(operations.randomData, { params, body: { length: 48 } });
    expect(Buffer.from(data, 'base64').length).toBe(48);
    await expect(ours.call(operations.randomData, { params, body: { length: 0 } })).rejects.toMatchObject({
      status: 422,
    });
  });
});
