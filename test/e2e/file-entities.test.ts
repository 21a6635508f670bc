// Server files managed by the platform: a certificate is issued for a key generated on the server, and renewed; the
// operator's command runs each time.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import { startTestServer } from '@signetry/testkit/platform';
import { expect, it, onTestFinished } from 'vitest';
import { defaultProfile } from './testing/profiles.ts';

interface Field {
  readonly uuid: string;
  readonly name: string;
}

/** Text values by name, as sent by a form. */
const fillForm = (form: readonly Field[], values: Record<string, string>): RequestAttributeDto[] =>
  form.flatMap(({ uuid, name }) => {
    const data = values[name];
    if (data === undefined) return [];
    return [{ uuid, name, contentType: 'string', content: [{ data }] }];
  });

it('a certificate is issued into files and renewed there, and the server is notified each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-file-entities-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const commands = `count=echo reloaded >> ${folder}/reloads`;
  const server = await startTestServer({
    args: ['--entity-directories', `web=${folder}`, '--entity-reload-commands', commands],
  });
  onTestFinished(() => server.stop());
  const { client } = server;
  const all = await client.connectors.listConnectors({ query: { functionGroup: 'entityProvider', kind: 'PEM' } });
  const connectorUuid = all[0]?.uuid ?? '';
  const ofKind = { uuid: connectorUuid, functionGroup: 'entityProvider', kind: 'PEM' } as const;
  const form = await client.connectors.getConnectorAttributes({ params: ofKind });
  const { uuid: entityUuid } = await client.entities.createEntityInstance({
    body: {
      name: 'web server',
      connectorUuid,
      kind: 'PEM',
      attributes: fillForm(form, { data_transport: 'local', data_directory: 'web' }),
    },
  });
  const files = { data_keyFile: 'web.key', data_certificateFile: 'web.crt', data_reloadCommand: 'count' };
  const locationForm = await client.entities.listLocationAttributes({ params: { entityUuid } });
  const body = { name: 'nginx', attributes: fillForm(locationForm, files), enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
  const params = { entityUuid, locationUuid };
  const requestForm = await client.locations.listCsrAttributes({ params });
  const { raProfileUuid } = await defaultProfile(client);
  const csrAttributes = fillForm(requestForm, { data_subject: 'CN=www.example.com', data_keyAlgorithm: 'P-256' });
  const issued = await client.locations.issueCertificateToLocation({
    params,
    body: { raProfileUuid, csrAttributes, issueAttributes: [] },
  });
  expect(issued.certificates).toMatchObject([{ commonName: 'www.example.com', state: 'issued', withKey: true }]);
  const readInstalledSerial = async () => {
    const [key, certificate] = await Promise.all(['web.key', 'web.crt'].map((name) => readFile(join(folder, name))));
    const parsed = new X509Certificate(certificate ?? '');
    expect(parsed.checkPrivateKey(createPrivateKey(key ?? ''))).toBe(true);
    return parsed.serialNumber;
  };
  const first = await readInstalledSerial();
  const certificateUuid = issued.certificates[0]?.certificateUuid ?? '';
  const renewed = await client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid } });
  expect(renewed.certificates).toMatchObject([{ commonName: 'www.example.com', withKey: true }]);
  expect(await readInstalledSerial()).not.toBe(first);
  expect(await readFile(join(folder, 'reloads'), 'utf8')).toBe('reloaded\nreloaded\n');
});
