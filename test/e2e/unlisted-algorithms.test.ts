// Keys whose algorithm only their provider knows: FALCON, which the interface lists, and MAYO, which it does not.
import { randomUUID } from 'node:crypto';
import type { KeyAlgorithm } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAlgorithmProvider, type AlgorithmProvider } from './testing/algorithm-provider.ts';
import { createProfile, itemPath, textValue, type TokenPath } from './testing/tokens.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let provider: AlgorithmProvider;
let path: TokenPath;

beforeAll(async () => {
  provider = await startAlgorithmProvider();
  const { client } = server;
  const { uuid: connectorUuid } = await client.connectors.createConnector({
    body: { name: 'future', url: provider.url, authType: 'none' },
  });
  const { uuid: tokenInstanceUuid } = await client.tokens.createTokenInstance({
    body: { name: 'future', kind: 'FUTURE', connectorUuid, attributes: [], customAttributes: [] },
  });
  path = { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid) };
});
afterAll(() => provider?.close());

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function createPair(algorithm: string) {
  const attributes = [textValue('data_algorithm', algorithm)];
  const body = { name: `${algorithm} ${randomUUID()}`, description: '', attributes, enabled: true };
  return server.client.keys.createKey({ params: { ...path, type: 'keyPair' }, body });
}

describe.each(['FALCON', 'MAYO'])('a key pair of the algorithm %s', (algorithm) => {
  it('is created and shown with the name of its algorithm', async () => {
    const key = await createPair(algorithm);
    const shown = await server.client.keys.getKey({ params: { uuid: key.uuid } });
    expect(shown.items.map((item) => item.keyAlgorithm)).toEqual([algorithm, algorithm]);
    const body = { pageNumber: 1, itemsPerPage: 100, filters: [] };
    const { cryptographicKeys } = await server.client.keys.listKeys({ body });
    expect(cryptographicKeys.map(({ keyAlgorithm }) => keyAlgorithm)).toContain(algorithm);
  });

  it('signs with attributes of the provider, and its history states that the signature was not verified', async () => {
    const { client } = server;
    const key = await createPair(algorithm);
    const params = itemPath(path, key, 'Private');
    const attribute = textValue('data_parameterSet', '512');
    const data = [{ data: base64('hello') }];
    const { signatures } = await client.keyUse.signData({ params, body: { signatureAttributes: [attribute], data } });
    expect(signatures).toHaveLength(1);
    expect(provider.signatureAttributes.at(-1)).toEqual([attribute]);
    const [newest] = await client.keys.getKeyItemHistory({ params });
    expect(newest).toMatchObject({
      event: 'Sign Data',
      status: 'SUCCESS',
      message: 'Signed; the platform does not know the algorithm and did not verify the signature',
    });
  });

  it('verifies signatures with the result of the provider', async () => {
    const { client } = server;
    const key = await createPair(algorithm);
    const data = [{ data: base64('hello') }];
    const sign = { params: itemPath(path, key, 'Private'), body: { signatureAttributes: [], data } };
    const { signatures } = await client.keyUse.signData(sign);
    const params = itemPath(path, key, 'Public');
    const verdictOn = async (text: string) => {
      const body = { signatureAttributes: [], data: [{ data: base64(text) }], signatures };
      return (await client.keyUse.verifyData({ params, body })).verifications.map(({ result }) => result);
    };
    expect(await verdictOn('hello')).toEqual([true]);
    expect(await verdictOn('changed')).toEqual([false]);
  });

  it('has no attributes of the platform for signatures and ciphers', async () => {
    const { client } = server;
    const key = await createPair(algorithm);
    // Clients send the algorithm as it is shown, whether or not the interface lists it.
    const params = { ...itemPath(path, key, 'Private'), algorithm: algorithm as KeyAlgorithm };
    expect(await client.keyUse.listSignatureAttributes({ params })).toEqual([]);
    expect(await client.keyUse.listCipherAttributes({ params })).toEqual([]);
    const other = { ...params, algorithm: 'HQC' as KeyAlgorithm };
    await expect(client.keyUse.listSignatureAttributes({ params: other })).rejects.toMatchObject({
      message: expect.stringContaining(`uses ${algorithm}, not HQC`),
    });
  });
});

describe('a provider without a form', () => {
  it('has an empty list of attributes for it, and the form for key pairs remains usable', async () => {
    const list = (type: 'secret' | 'keyPair') =>
      server.client.keys.listCreateKeyAttributes({ params: { ...path, type } });
    expect(await list('secret')).toEqual([]);
    expect(await list('keyPair')).toMatchObject([{ name: 'data_algorithm' }]);
  });

  it('does not create secret keys, and the error message contains its reason', async () => {
    const body = { name: 'secret', description: '', attributes: [], enabled: true };
    await expect(server.client.keys.createKey({ params: { ...path, type: 'secret' }, body })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(
        'Connector future does not offer secret keys: it reported "Secret keys are not supported".',
      ),
    });
  });

  it('returns random data although it has no form for it', async () => {
    const params = { tokenInstanceUuid: path.tokenInstanceUuid };
    expect(await server.client.keyUse.listRandomAttributes({ params })).toEqual([]);
    const { data } = await server.client.keyUse.randomData({ params, body: { length: 8, attributes: [] } });
    expect(Buffer.from(data, 'base64')).toHaveLength(8);
  });
});
