// Export of private keys: only of keys created as exportable, in an active token.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import { KEY } from '../index.ts';
import {
  activate,
  createToken,
  deactivate,
  destroy,
  flag,
  importPair,
  rejectionOf,
  startTestTokens,
  text,
} from '../testing/test-tokens.ts';

const tokens = await startTestTokens();
const { call, running } = tokens;
const token = await createToken(call);
await activate(call, token);

const exportOf = (key: string, from = token) =>
  running.exportPrivateKey?.({ token: from, key }) ?? Promise.reject(new Error('no exports'));

const create = (alias: string, isExportable?: boolean) =>
  importPair(call, token, [
    text(KEY.alias, alias),
    text(KEY.specification, 'P-256'),
    ...(isExportable === undefined ? [] : [flag(KEY.exportable, isExportable)]),
  ]);

afterEach(() => activate(call, token));

describe('a private key', () => {
  it('is exported as PKCS #8 if it was created as exportable', async () => {
    const { publicKeyData, privateKeyData } = await create('exportable', true);
    const pkcs8 = await exportOf(privateKeyData.uuid);
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
    expect(publicKeyData.keyData.value).toEqual({ value: spki });
  });

  it.each([
    ['by default', undefined],
    ['if specified', false],
  ])('is not exportable %s', async (alias, isExportable) => {
    const { privateKeyData } = await create(alias, isExportable);
    expect(await rejectionOf(exportOf(privateKeyData.uuid))).toMatch(/^422: .*was not created as exportable/);
  });

  it('is not exported from a deactivated or different token, after its destruction, or as a public key', async () => {
    const { publicKeyData, privateKeyData } = await create('guarded', true);
    expect(await rejectionOf(exportOf(publicKeyData.uuid))).toMatch(/^422: .*is not a private key/);
    const other = await createToken(call, { name: 'other' });
    await activate(call, other);
    expect(await rejectionOf(exportOf(privateKeyData.uuid, other))).toMatch(/^404/);
    await deactivate(call, token);
    expect(await rejectionOf(exportOf(privateKeyData.uuid))).toMatch(/^422: .*deactivated/);
    await activate(call, token);
    await destroy(call, { token, key: privateKeyData.uuid });
    expect(await rejectionOf(exportOf(privateKeyData.uuid))).toMatch(/^404/);
  });

  it('is not available through any operation of the connector interface', () => {
    const paths = Object.values(running.handlers).map(({ operation }) => operation.path);
    expect(paths.filter((path) => /export/i.test(path))).toEqual([]);
    expect(Object.keys(operations).filter((name) => /export/i.test(name))).toEqual([]);
  });
});
