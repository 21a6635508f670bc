// Goal: a PKCS #12 file with its key becomes a certificate with a key in a token, and an exportable key can be exported
// again, but only by callers with every required permission. Method: files are written and read by the PKI package.
// secrets.test.ts searches for the keys and passphrases in the log, the database and the responses.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import { SIGNATURE_ATTRIBUTES, type ResourcePermissionsRequestDto } from '@signetry/contract';
import { exportPrivateKey, keyStorePrivateKey, readKeyStore } from '@signetry/pki/node';
import { writePkcs12Store } from '@signetry/pki/pkcs12';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { rejectionOf } from './testing/certificates.ts';
import { importFile, makeKeyFile, type KeyFile } from './testing/key-files.ts';
import { userWithRole } from './testing/limited-user.ts';
import { objectRights, resourceRights } from './testing/rights.ts';
import {
  activate,
  createImportingToken,
  createProfile,
  createTokenWithProfile,
  itemPath,
  keyAttributes,
  switchValue,
  textValue,
  type TokenPath,
} from './testing/tokens.ts';

const PASSPHRASE = 'canary-passphrase-of-the-export';

const server = sharedTestServer();
let client: Client;
let path: TokenPath;

beforeAll(async () => {
  client = server.client;
  path = await createImportingToken(client);
});

const exportOf = (uuid: string, body: object = {}, by: Client = client) =>
  by.keyFiles.exportCertificateWithKey({ params: { uuid }, body: { passphrase: PASSPHRASE, ...body } });

/** Imports a new certificate with its key. */
async function importNew(wish: { exportable?: boolean; keySpec?: 'P-256' | 'RSA-2048'; path?: TokenPath } = {}) {
  const file = await makeKeyFile(client, { keySpec: wish.keySpec ?? 'P-256' });
  const { exportable = true } = wish;
  const imported = await importFile(client, wish.path ?? path, { content: file.content, exportable });
  return { ...imported, file };
}

const jwkOf = ({ request }: KeyFile) => request.privateKey.export({ format: 'jwk' });

describe('a PKCS #12 file', () => {
  it('becomes a certificate in the inventory with its key in the token', async () => {
    const file = await makeKeyFile(client, { name: 'imported.example' });
    const imported = await importFile(client, path, { content: file.content, name: 'imported' });
    expect(imported).toEqual({
      keyUuid: expect.any(String),
      certificateUuid: file.certificate.uuid,
      certificateUuids: [file.certificate.uuid],
      problems: [],
    });
    const certificate = await client.certificates.getCertificate({ params: { uuid: imported.certificateUuid } });
    expect(certificate.key?.uuid).toBe(imported.keyUuid);
    const key = await client.keys.getKey({ params: { uuid: imported.keyUuid } });
    expect(key).toMatchObject({ name: 'imported', associations: [{ uuid: imported.certificateUuid }] });
    const params = itemPath(path, key, 'Private');
    const signatureAttributes = [textValue(SIGNATURE_ATTRIBUTES.digest.name, 'SHA-256')];
    await client.keyUse.signData({ params, body: { signatureAttributes, data: [{ data: 'aGVsbG8=' }] } });
    expect(await client.keyExportability.getKeyExportability({ params: { uuid: key.uuid } })).toEqual({
      exportable: false,
    });
  });

  it('is not stored, and neither is the file of a key that the form imports', async () => {
    const { keyUuid } = await importNew();
    const { attributes } = await client.keys.getKey({ params: { uuid: keyUuid } });
    expect(attributes.map(({ name }) => name).toSorted()).toEqual(['data_exportable', 'data_keyAlias']);
    const rows = await server.running.platform.database.query(
      `SELECT v.uuid FROM attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid
       WHERE v.object_resource = 'keys' AND d.content_type IN ('file', 'secret')`,
    );
    expect(rows).toEqual([]);
  });

  it('is rejected with the reason, and without any of its secrets, if it cannot be imported', async () => {
    const { content } = await makeKeyFile(client);
    const refusal = (body: object) => rejectionOf(importFile(client, path, { content, ...body }));
    const wrong = 'canary-wrong-passphrase';
    expect(await refusal({ passphrase: wrong })).toMatchObject({
      status: 422,
      message: expect.stringMatching(/wrong/),
    });
    expect((await refusal({ passphrase: wrong })).message).not.toContain(wrong);
    expect(await refusal({ content: Buffer.from('nothing').toString('base64') })).toMatchObject({ status: 422 });
    const two = await filesWith(2);
    expect(await refusal({ content: two, passphrase: PASSPHRASE })).toMatchObject({
      status: 422,
      message: expect.stringContaining('2 private keys'),
    });
    expect(await refusal({ content: await filesWith(1), passphrase: PASSPHRASE })).toMatchObject({
      status: 422,
      message: expect.stringContaining('does not contain a certificate for its private key'),
    });
  });

  it('is rejected if the token does not accept imported keys, and then nothing is imported', async () => {
    const own = await createTokenWithProfile(client);
    const { content } = await makeKeyFile(client);
    expect(await rejectionOf(importFile(client, own, { content }))).toMatchObject({
      status: 422,
      message: expect.stringContaining('does not accept imported keys'),
    });
  });

  it('is rejected if its key already exists', async () => {
    const { file } = await importNew();
    expect(await rejectionOf(importFile(client, path, { content: file.content }))).toMatchObject({
      status: 422,
      message: expect.stringContaining('already exists as key'),
    });
  });

  it('requires the permissions to create keys and certificates, and to see the token and its profile', async () => {
    const { content } = await makeKeyFile(client);
    const all = [
      resourceRights('keys', 'create'),
      resourceRights('certificates', 'create'),
      objectRights('tokens', path.tokenInstanceUuid, { allow: ['detail'] }),
      objectRights('tokenProfiles', path.tokenProfileUuid, { allow: ['detail'] }),
    ];
    for (const missing of all) {
      const user = await userWithRole(
        server,
        all.filter((each) => each !== missing),
      );
      expect(await rejectionOf(importFile(user.client, path, { content })), missing.name).toMatchObject({
        status: 403,
      });
    }
    const user = await userWithRole(server, all);
    await importFile(user.client, path, { content });
  });
});

/** Returns a PKCS #12 file with private keys only. */
async function filesWith(count: number): Promise<string> {
  const keys = Array.from({ length: count }, (_, place) => ({
    privateKey: exportPrivateKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    chain: [],
    friendlyName: `key ${place}`,
  }));
  return Buffer.from(await writePkcs12Store({ keys, password: PASSPHRASE })).toString('base64');
}

describe('an exported certificate', () => {
  it.each([
    ['pkcs12', 'PKCS12', '.p12'],
    ['jks', 'JKS', '.jks'],
  ] as const)('is a %s file with its private key and its issuers', async (format, type, suffix) => {
    const { certificateUuid, file } = await importNew({ keySpec: 'RSA-2048' });
    const exported = await exportOf(certificateUuid, { format, alias: 'Web Server' });
    expect(exported).toMatchObject({ format, fileName: expect.stringMatching(/^[0-9a-f-]+\.example\.\w+$/) });
    expect(exported.fileName.endsWith(suffix)).toBe(true);
    const bytes = Buffer.from(exported.content, 'base64');
    const { entries } = await readKeyStore(bytes, { type, password: PASSPHRASE });
    const [entry, ...others] = entries;
    expect(others).toEqual([]);
    expect(entry?.alias).toBe(exported.alias);
    expect(entry?.alias.toLowerCase()).toBe('web server');
    expect(entry?.chain.map((der) => Buffer.from(der).equals(file.certificate.der))).toEqual([true, false]);
    const key = entry?.key ?? expect.fail('the entry has no key');
    expect(keyStorePrivateKey(key, PASSPHRASE).export({ format: 'jwk' })).toEqual(jwkOf(file));
    await expect(readKeyStore(bytes, { type, password: `${PASSPHRASE}?` })).rejects.toMatchObject({
      code: 'wrong-password',
    });
  });

  it('can have a key that was generated in the token as exportable', async () => {
    const name = `made ${randomUUID()}`;
    const attributes = [...keyAttributes(name, 'P-256'), switchValue('data_exportable')];
    const params = { ...path, type: 'keyPair' as const };
    const key = await client.keys.createKey({ params, body: { name, description: '', attributes, enabled: true } });
    const { exportable } = await client.keyExportability.getKeyExportability({ params: { uuid: key.uuid } });
    expect(exportable).toBe(true);
  });

  it('is recorded once in the audit log, with the key', async () => {
    const { certificateUuid, keyUuid } = await importNew();
    await exportOf(certificateUuid);
    expect(await exportRecords(certificateUuid)).toEqual([
      {
        operation_result: 'success',
        affiliated_resource: 'keys',
        affiliated_objects: [expect.objectContaining({ uuid: keyUuid })],
        operation_data: expect.objectContaining({ format: 'pkcs12' }),
      },
    ]);
  });

  it('requires a passphrase of at least 12 characters, which no error repeats', async () => {
    const { certificateUuid } = await importNew();
    for (const passphrase of ['', 'canary', 'canary-1234']) {
      const { status, message } = await rejectionOf(exportOf(certificateUuid, { passphrase }));
      expect([status, message]).toEqual([422, expect.stringContaining('at least 12 characters')]);
      if (passphrase) expect(message).not.toContain(passphrase);
    }
  });

  it('cannot have a key that was not created as exportable, even for administrators and after any change', async () => {
    const { certificateUuid, keyUuid } = await importNew({ exportable: false });
    const expectRejected = async () =>
      expect(await rejectionOf(exportOf(certificateUuid))).toMatchObject({
        status: 422,
        message: expect.stringContaining('was not created as exportable'),
      });
    await expectRejected();
    const body = { name: `renamed ${randomUUID()}`, description: '', exportable: true };
    await client.keys.editKey({ params: { uuid: keyUuid }, body });
    await expectRejected();
  });

  it('cannot be exported by its connector either, if only the platform regards the key as exportable', async () => {
    const { certificateUuid, keyUuid } = await importNew({ exportable: false });
    await server.running.platform.database.query(`UPDATE key SET exportable = true WHERE uuid = $1`, [keyUuid]);
    expect(await rejectionOf(exportOf(certificateUuid))).toMatchObject({
      status: 422,
      message: expect.stringContaining('was not created as exportable'),
    });
  });

  it('requires a usable key: active, enabled, with a usage, in an enabled profile and an active token', async () => {
    const own = await createImportingToken(client);
    const { certificateUuid, keyUuid } = await importNew({ path: own });
    const params = { uuid: keyUuid };
    const refusal = async () => {
      const { status, message } = await rejectionOf(exportOf(certificateUuid));
      expect(status).toBe(422);
      return message;
    };
    await client.keys.disableKey({ params, body: [] });
    expect(await refusal()).toContain('is disabled');
    await client.keys.enableKey({ params, body: [] });
    await client.keys.updateKeyUsages({ params, body: { usage: [] } });
    expect(await refusal()).toContain('is not permitted to sign or decrypt');
    await client.keys.updateKeyUsages({ params, body: { usage: ['sign'] } });
    await client.tokenProfiles.disableTokenProfiles({ body: [own.tokenProfileUuid] });
    expect(await refusal()).toContain('is disabled');
    await client.tokenProfiles.enableTokenProfiles({ body: [own.tokenProfileUuid] });
    await client.tokens.deactivateTokenInstance({ params: { uuid: own.tokenInstanceUuid } });
    expect(await refusal()).toContain('deactivated');
    await activate(client, own.tokenInstanceUuid);
    await exportOf(certificateUuid);
    await client.keys.compromiseKey({ params, body: { reason: 'disclosure' } });
    expect(await refusal()).toContain('is compromised');
    await client.keys.destroyKey({ params, body: [] });
    expect(await refusal()).toContain('no token contains its private key');
  });

  it('requires a key in a token', async () => {
    const { certificate } = await makeKeyFile(client);
    expect(await rejectionOf(exportOf(certificate.uuid))).toMatchObject({
      status: 422,
      message: expect.stringContaining('no token contains its private key'),
    });
    expect(await rejectionOf(exportOf(randomUUID()))).toMatchObject({ status: 404 });
  });
});

const exportRecords = (certificateUuid: string) =>
  server.running.platform.database.query(
    `SELECT operation_result, affiliated_resource, affiliated_objects, operation_data FROM audit_record
     WHERE operation = 'export' AND resource_objects::text LIKE '%' || $1 || '%' ORDER BY id`,
    [certificateUuid],
  );

describe('a caller', () => {
  /** Every permission that an export requires, each on one resource. */
  const rightsFor = ({ tokenInstanceUuid, tokenProfileUuid }: TokenPath) => {
    const token = (action: string) => objectRights('tokens', tokenInstanceUuid, { allow: [action] });
    const profile = (action: string) => objectRights('tokenProfiles', tokenProfileUuid, { allow: [action] });
    return [
      resourceRights('certificates', 'detail'),
      resourceRights('raProfiles', 'members'),
      ...['export', 'sign', 'decrypt'].map((action) => resourceRights('keys', action)),
      ...['members', 'detail', 'export'].map(token),
      ...['detail', 'export'].map(profile),
    ];
  };

  /** Merges permissions on the same resource, as the API requires. */
  const merged = (rights: readonly ResourcePermissionsRequestDto[]): ResourcePermissionsRequestDto[] =>
    [...Map.groupBy(rights, ({ name }) => name)].map(([name, each]) => {
      const [object] = each.flatMap(({ objects = [] }) => objects);
      const allow = each.flatMap(({ objects = [] }) => objects.flatMap((one) => one.allow ?? []));
      const actions = each.flatMap((one) => one.actions ?? []);
      return { name, allowAllActions: false, actions, ...(object ? { objects: [{ ...object, allow }] } : {}) };
    });

  it('needs each of the permissions on the certificate, the key, its token and its token profile', async () => {
    const { certificateUuid } = await importNew({ keySpec: 'RSA-2048' });
    const all = rightsFor(path);
    const user = await userWithRole(server, []);
    const grant = (rights: readonly ResourcePermissionsRequestDto[]) =>
      client.roles.saveRolePermissions({
        params: { roleUuid: user.roleUuid },
        body: { allowAllResources: false, resources: merged(rights) },
      });
    for (const missing of all) {
      await grant(all.filter((each) => each !== missing));
      const what = JSON.stringify(missing);
      const { status } = await rejectionOf(exportOf(certificateUuid, {}, user.client));
      expect([403, 404], what).toContain(status);
    }
    await grant(all);
    await exportOf(certificateUuid, {}, user.client);
  });

  it('is not permitted to export by owning the key and the certificate, or through a group', async () => {
    const { certificateUuid, keyUuid } = await importNew();
    const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: `group ${randomUUID()}` } });
    const withoutKey = rightsFor(path).filter(({ name }) => name !== 'keys');
    const membership = objectRights('groups', groupUuid, { allow: ['members'] });
    const user = await userWithRole(server, merged([...withoutKey, membership]));
    const owner = { ownerUuid: user.userUuid, groupUuids: [groupUuid] };
    await client.certificates.updateCertificateObjects({ params: { uuid: certificateUuid }, body: owner });
    await client.keys.editKey({
      params: { uuid: keyUuid },
      body: { name: `owned ${randomUUID()}`, description: '', ...owner },
    });
    const { status, message } = await rejectionOf(exportOf(certificateUuid, {}, user.client));
    expect([status, message]).toEqual([403, expect.stringContaining('export')]);
    // The owner can use the key without further permissions, so only the permission to export was missing.
    const exporting = [...withoutKey, resourceRights('keys', 'export')];
    const body = { allowAllResources: false, resources: merged(exporting) };
    await client.roles.saveRolePermissions({ params: { roleUuid: user.roleUuid }, body });
    await exportOf(certificateUuid, {}, user.client);
  });

  it('is not permitted to export if the action is denied on the token or the token profile', async () => {
    const { certificateUuid } = await importNew();
    const everything = ['certificates', 'raProfiles', 'keys', 'tokens', 'tokenProfiles'] as const;
    const of = { tokens: path.tokenInstanceUuid, tokenProfiles: path.tokenProfileUuid };
    for (const denied of ['tokens', 'tokenProfiles'] as const) {
      const resources = everything.map((name) => ({
        name,
        allowAllActions: true,
        ...(name === denied ? { objects: [{ uuid: of[denied], name: 'object', deny: ['export'] }] } : {}),
      }));
      const user = await userWithRole(server, resources);
      expect(await rejectionOf(exportOf(certificateUuid, {}, user.client)), denied).toMatchObject({ status: 403 });
    }
  });

  it('cannot move an exportable key to a profile that permits its export', async () => {
    const { certificateUuid, keyUuid } = await importNew();
    const other = await createProfile(client, path.tokenInstanceUuid);
    const rights = rightsFor({ ...path, tokenProfileUuid: other });
    const user = await userWithRole(
      server,
      merged([...rights, resourceRights('keys', 'update'), resourceRights('tokenProfiles', 'detail')]),
    );
    const move = (by: Client) =>
      by.keys.editKey({
        params: { uuid: keyUuid },
        body: { name: `moved ${randomUUID()}`, description: '', tokenProfileUuid: other },
      });
    expect(await rejectionOf(exportOf(certificateUuid, {}, user.client))).toMatchObject({ status: 403 });
    expect(await rejectionOf(move(user.client))).toMatchObject({ status: 403 });
    await move(client);
    await exportOf(certificateUuid, {}, user.client);
  });

  it('leaves a failed audit record if the export is rejected', async () => {
    const { certificateUuid } = await importNew();
    const user = await userWithRole(server, [
      resourceRights('certificates', 'detail'),
      resourceRights('raProfiles', 'members'),
    ]);
    await rejectionOf(exportOf(certificateUuid, {}, user.client));
    expect(await exportRecords(certificateUuid)).toMatchObject([{ operation_result: 'failure' }]);
  });
});
