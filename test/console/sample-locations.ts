// Server files on this machine as locations, in the states that users see: served, not served, rejected by the server,
// empty and disabled, with realistic names.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, createServer } from 'node:tls';
import type { Client } from '@signetry/client';
import type { LocationProbe, RequestAttributeDto } from '@signetry/contract';

export interface FileServer {
  /** Arguments for the platform. */
  readonly args: readonly string[];
  readonly folder: string;
  /** Serves the current `NAME.key` and `NAME.pem` for each handshake that requests `NAME.example`. */
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-locations-'));
  const server = createServer({
    SNICallback: (name, done) => {
      const file = name.replace(/\.example$/, '');
      Promise.all([readFile(join(folder, `${file}.key`)), readFile(join(folder, `${file}.pem`))]).then(
        ([key, cert]) => done(null, createSecureContext({ key, cert })),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has such an address.
  return {
    args: [
      `--entity-directories=web=${folder}`,
      '--entity-reload-commands=nginx=true,broken=echo "nginx: [emerg] unknown directive ssl_sertificate" >&2; exit 1',
    ],
    folder,
    port,
    stop: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface LocationSamples {
  readonly entity: string;
  readonly emptyEntity: string;
  /** Paths of the location pages, below `/entities`. */
  readonly served: string;
  readonly notServed: string;
  readonly failed: string;
  readonly empty: string;
  readonly disabled: string;
  /** Certificate that is served. */
  readonly certificate: string;
}

const LONG = 'load-balancer-eu-central-1-blue-green-canary-platform-internal-example-without-any-place-to-break-it';

interface Field {
  readonly uuid: string;
  readonly name: string;
}

/** Text values by name, in the form that a form sends. */
export const fillForm = (form: readonly Field[], values: Readonly<Record<string, string>>): RequestAttributeDto[] =>
  form.flatMap(({ uuid, name }) => {
    const data = values[name];
    return data === undefined ? [] : [{ uuid, name, contentType: 'string', content: [{ data }] }];
  });

export async function addEntity(client: Client, name: string): Promise<string> {
  const query = { functionGroup: 'entityProvider', kind: 'PEM' } as const;
  const [connector] = await client.connectors.listConnectors({ query });
  const connectorUuid = connector?.uuid ?? '';
  const params = { uuid: connectorUuid, functionGroup: 'entityProvider', kind: 'PEM' } as const;
  const form = await client.connectors.getConnectorAttributes({ params });
  const attributes = fillForm(form, { data_transport: 'local', data_directory: 'web' });
  return (await client.entities.createEntityInstance({ body: { name, connectorUuid, kind: 'PEM', attributes } })).uuid;
}

export interface LocationSpec {
  readonly name: string;
  readonly file: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly command?: string;
}

export async function addLocation(client: Client, entityUuid: string, wanted: LocationSpec): Promise<string> {
  const { name, file, description = '', enabled = true, command = 'nginx' } = wanted;
  const form = await client.entities.listLocationAttributes({ params: { entityUuid } });
  const files = { data_keyFile: `${file}.key`, data_certificateFile: `${file}.pem`, data_reloadCommand: command };
  const body = { name, description, attributes: fillForm(form, files), enabled };
  return (await client.locations.addLocation({ params: { entityUuid }, body })).uuid;
}

interface LocationPath {
  readonly entityUuid: string;
  readonly locationUuid: string;
}

/** Issues a certificate in a location; if the server rejects it, an entry remains. */
export async function issueIn(client: Client, params: LocationPath, host: string): Promise<string> {
  const form = await client.locations.listCsrAttributes({ params });
  const [profile] = await client.raProfiles.listRaProfiles({ query: { enabled: true } });
  const csrAttributes = fillForm(form, {
    data_subject: `CN=${host}`,
    data_dnsNames: host,
    data_keyAlgorithm: 'P-256',
  }).map((attribute) => (attribute.name === 'data_dnsNames' ? ({ ...attribute, contentType: 'text' } as RequestAttributeDto) : attribute)); // prettier-ignore
  const body = { raProfileUuid: profile?.uuid ?? '', csrAttributes, issueAttributes: [] };
  await client.locations.issueCertificateToLocation({ params, body }).catch((error: unknown) => {
    if (!String(error).includes('ssl_sertificate')) throw error;
  });
  const { certificates } = await client.locations.getLocation({ params });
  return certificates[0]?.certificateUuid ?? '';
}

const probeOf = (port: number, more: Partial<LocationProbe>): LocationProbe => ({
  host: '127.0.0.1',
  port,
  timeoutSeconds: 60,
  restorePrevious: true,
  ...more,
});

/** The platform must be started with the server's arguments, and be allowed to call 127.0.0.1. */
export async function createSampleLocations(client: Client, { port }: FileServer): Promise<LocationSamples> {
  const entityUuid = await addEntity(client, 'Web server of the shop');
  const emptyEntity = await addEntity(client, `${LONG} مزود الشهادات`);
  const urlOf = (locationUuid: string): string => `/entities/${entityUuid}/locations/${locationUuid}`;
  const add = async (wanted: LocationSpec): Promise<LocationPath> => ({
    entityUuid,
    locationUuid: await addLocation(client, entityUuid, wanted),
  });
  const served = await add({ name: 'Shop', file: 'shop', description: 'Public website.' });
  const certificate = await issueIn(client, served, 'shop.example');
  await client.locationDeployment.setLocationProbe({
    params: served,
    body: probeOf(port, { serverName: 'shop.example' }),
  });
  await client.locationDeployment.probeLocation({ params: served });
  const notServed = await add({ name: `Proxy of the warehouse ${LONG}`, file: 'proxy' });
  // The endpoint still serves the certificate of the shop.
  const other = probeOf(port, { serverName: 'shop.example', timeoutSeconds: 1, restorePrevious: false });
  await client.locationDeployment.setLocationProbe({ params: notServed, body: other });
  await issueIn(client, notServed, `${LONG.slice(0, 50)}.example`);
  const failed = await add({ name: 'Mail', file: 'mail', command: 'broken' });
  await issueIn(client, failed, 'mail.example');
  const empty = await add({ name: 'Wiki', file: 'wiki' });
  const disabled = await add({ name: 'Intranet', file: 'intranet', enabled: false });
  await waitUntilNotServed(client, notServed);
  return {
    entity: entityUuid,
    emptyEntity,
    served: urlOf(served.locationUuid),
    notServed: urlOf(notServed.locationUuid),
    failed: urlOf(failed.locationUuid),
    empty: urlOf(empty.locationUuid),
    disabled: urlOf(disabled.locationUuid),
    certificate,
  };
}

const PATIENCE = 200;

async function waitUntilNotServed(client: Client, params: LocationPath): Promise<void> {
  for (let look = 0; look < PATIENCE; look += 1) {
    const { certificates } = await client.locationDeployment.getLocationDeployment({ params });
    if (certificates[0]?.state === 'notServed') return;
    await delay(100);
  }
  throw new Error('The platform still waits for the proxy endpoint to serve its certificate.');
}
