// Secrets of software tokens, supplied in every possible way: correct and wrong activation codes, and an imported key
// with the password of its file; also a PKCS #12 file that is imported and exported.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { exportPrivateKey, exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import { createExternalAuthority } from './external-authority.ts';
import { createProfile, secretValue, softwareTokensOf, textValue } from './tokens.ts';

/** `canary` creates a recognizable secret, and `plant` registers it for the search. */
export async function plantTokenSecrets(
  client: Client,
  { canary, plant }: { canary(what: string): string; plant(what: string, bytes: Uint8Array): void },
): Promise<void> {
  const secret = (what: string): string => {
    const value = canary(what.replaceAll(' ', '-'));
    plant(what, Buffer.from(value));
    return value;
  };
  const code = secret('activation code');
  const allowsImport = {
    uuid: randomUUID(),
    name: 'data_allowsImport',
    contentType: 'boolean' as const,
    content: [{ data: true }],
  };
  const body = {
    name: 'with a code',
    kind: 'SOFT',
    connectorUuid: await softwareTokensOf(client),
    customAttributes: [],
  };
  const withCode = [secretValue('data_activationCode', code), allowsImport];
  const { uuid } = await client.tokens.createTokenInstance({ body: { ...body, attributes: withCode } });
  const activate = (value: string) =>
    client.tokens.activateTokenInstance({ params: { uuid }, body: [secretValue('data_activationCode', value)] });
  await client.tokens.deactivateTokenInstance({ params: { uuid } });
  const isRefused = await activate(secret('wrong activation code')).then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error('A wrong activation code opened the token.');
  await activate(code);
  await importKey(client, { uuid, secret, plant });
  await importAndExportFile(client, { uuid, secret, plant });
}

/** Imports a PKCS #12 file with its key, and exports the certificate with its key again. */
async function importAndExportFile(client: Client, { uuid: tokenInstanceUuid, secret, plant }: PlantTarget) {
  const keys = await generateKeyPair('P-256');
  plant('key of a file', Buffer.from(keys.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'));
  const { der } = await createExternalAuthority('CN=Exported', keys);
  const passphrase = secret('passphrase of a file');
  const entry = { privateKey: exportPrivateKey(keys.privateKey), chain: [der], friendlyName: 'exported' };
  const file = await writePkcs12({ ...entry, password: passphrase });
  const params = { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid) };
  const importWith = (given: string) =>
    client.keyFiles.importKeyFile({
      params,
      body: {
        name: 'exportable',
        content: Buffer.from(file).toString('base64'),
        passphrase: given,
        exportable: true,
      },
    });
  await expectRefused(importWith(secret('wrong passphrase of a file')), 'A wrong passphrase opened the file.');
  const { certificateUuid: uuid } = await importWith(passphrase);
  const exported = await client.keyFiles.exportCertificateWithKey({
    params: { uuid },
    body: { passphrase: secret('passphrase of an exported file') },
  });
  plant('exported file', Buffer.from(exported.content, 'base64').subarray(100, 140));
}

const expectRefused = (call: Promise<unknown>, message: string): Promise<void> =>
  call.then(
    () => Promise.reject(new Error(message)),
    () => undefined,
  );

interface PlantTarget {
  /** Token in which keys are created. */
  readonly uuid: string;
  secret(what: string): string;
  plant(what: string, bytes: Uint8Array): void;
}

async function importKey(client: Client, to: PlantTarget): Promise<void> {
  const { privateKey } = await generateKeyPair('P-256');
  to.plant('imported key', Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'));
  const password = to.secret('password of an imported key');
  const pem = Buffer.from(await exportPrivateKeyPem(privateKey, { password })).toString('base64');
  const file = (content: string) => ({
    uuid: randomUUID(),
    name: 'data_keyFile',
    contentType: 'file' as const,
    content: [{ data: { content, fileName: 'key.pem', mimeType: 'application/x-pem-file' } }],
  });
  const tokenProfileUuid = await createProfile(client, to.uuid);
  const create = (name: string, given: string) =>
    client.keys.createKey({
      params: { tokenInstanceUuid: to.uuid, tokenProfileUuid, type: 'keyPair' },
      body: {
        name,
        description: '',
        enabled: true,
        attributes: [textValue('data_keyAlias', name), file(pem), secretValue('data_keyFilePassword', given)],
      },
    });
  const isRefused = await create('refused', to.secret('wrong password of an imported key')).then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error('A wrong password opened the file.');
  const key = await create('imported', password);
  const keyItemUuid = key.items.find(({ type }) => type === 'Private')?.uuid ?? '';
  const params = { tokenInstanceUuid: to.uuid, tokenProfileUuid, uuid: key.uuid, keyItemUuid };
  const signed = { signatureAttributes: [textValue('data_sigDigest', 'SHA-256')], data: [{ data: 'AAAA' }] };
  await client.keyUse.signData({ params, body: signed });
}
