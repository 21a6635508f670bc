// A server's key store managed by the platform: certificates are issued for keys generated in it, renewed and removed,
// including concurrently.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import { parseCertificate } from '@signetry/pki';
import { readKeyStore } from '@signetry/pki/node';
import { startTestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished } from 'vitest';
import { defaultProfile } from './testing/profiles.ts';

interface Field {
  readonly uuid: string;
  readonly name: string;
  readonly contentType?: string;
}

const PASSWORD = 'correct horse';

/** Values by name, as sent by a form. */
const fillForm = (form: readonly Field[], values: Record<string, string>): RequestAttributeDto[] =>
  form.flatMap(({ uuid, name, contentType }): RequestAttributeDto[] => {
    const value = values[name];
    if (value === undefined) return [];
    return contentType === 'secret'
      ? [{ uuid, name, contentType: 'secret', content: [{ data: { secret: value } }] }]
      : [{ uuid, name, contentType: 'string', content: [{ data: value }] }];
  });

it("certificates are issued into a key store, renewed and removed there, and the key store's password is not shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-key-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const commands = `count=echo reloaded >> ${folder}/reloads`;
  const server = await startTestServer({
    args: ['--entity-directories', `web=${folder}`, '--entity-reload-commands', commands],
  });
  onTestFinished(() => server.stop());
  const { client } = server;
  const kind = 'Keystore';
  const [connector] = await client.connectors.listConnectors({ query: { functionGroup: 'entityProvider', kind } });
  const connectorUuid = connector?.uuid ?? '';
  const form = await client.connectors.getConnectorAttributes({
    params: { uuid: connectorUuid, functionGroup: 'entityProvider', kind },
  });
  const { uuid: entityUuid } = await client.entities.createEntityInstance({
    body: {
      name: 'tomcat',
      connectorUuid,
      kind,
      attributes: fillForm(form, { data_transport: 'local', data_directory: 'web' }),
    },
  });
  const locationForm = await client.entities.listLocationAttributes({ params: { entityUuid } });
  const values = {
    keystorePath: 'keystore.p12',
    keystorePassword: PASSWORD,
    keystoreType: 'PKCS12',
    data_chain: 'asKnown',
    data_reloadCommand: 'count',
  };
  const added = await client.locations.addLocation({
    params: { entityUuid },
    body: { name: 'tomcat', attributes: fillForm(locationForm, values), enabled: true },
  });
  const params = { entityUuid, locationUuid: added.uuid };
  const shown = await client.locations.getLocation({ params });
  expect(JSON.stringify(shown)).not.toContain(PASSWORD);
  expect(shown).toMatchObject({ supportMultipleEntries: true, supportKeyManagement: true });
  const requestForm = await client.locations.listCsrAttributes({ params });
  const { raProfileUuid } = await defaultProfile(client);
  const issue = (alias: string) =>
    client.locations.issueCertificateToLocation({
      params,
      body: {
        raProfileUuid,
        csrAttributes: fillForm(requestForm, { alias, dname: `CN=${alias}.example.com`, keyalg: 'EC' }),
        issueAttributes: [],
      },
    });
  const store = async () => {
    const bytes = new Uint8Array(await readFile(join(folder, 'keystore.p12')));
    const { entries } = await readKeyStore(bytes, { type: 'PKCS12', password: PASSWORD });
    return entries.map(({ alias, key, chain: [leaf] }) => ({
      alias,
      withKey: key !== undefined,
      serialNumber: parseCertificate(leaf ?? new Uint8Array()).serialNumber,
    }));
  };
  await issue('www');
  const issued = await issue('admin');
  expect(issued.certificates.map(({ commonName, withKey }) => [commonName, withKey]).toSorted()).toEqual([
    ['admin.example.com', true],
    ['www.example.com', true],
  ]);
  const first = await store();
  expect(first.map(({ alias, withKey }) => [alias, withKey])).toEqual([
    ['www', true],
    ['admin', true],
  ]);
  const uuidOf = (name: string, { certificates }: typeof issued): string =>
    certificates.find(({ commonName }) => commonName === name)?.certificateUuid ?? '';
  const certificateUuid = uuidOf('admin.example.com', issued);
  const renewed = await client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } });
  const second = await store();
  expect(second.map(({ alias }) => alias)).toEqual(['www', 'admin']);
  expect(second[0]).toEqual(first[0]);
  expect(second[1]?.serialNumber).not.toBe(first[1]?.serialNumber);
  await client.locations.removeCertificateFromLocation({
    params: { ...params, certificateUuid: uuidOf('www.example.com', renewed) },
  });
  expect((await store()).map(({ alias }) => alias)).toEqual(['admin']);
  expect(await readFile(join(folder, 'reloads'), 'utf8')).toBe('reloaded\n'.repeat(4));
});
