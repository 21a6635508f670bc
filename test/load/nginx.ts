// nginx with the files of a location: it serves `NAME.crt` with `NAME.key`, and a reload command notifies it of
// changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import type { Client } from '@signetry/client';

/** Path of nginx, or empty if it is not installed. */
export const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path)) ?? '';

export class Nginx {
  readonly folder: string;
  readonly port: number;
  /** Command that reloads the configuration and files. Fails if nginx rejects them. */
  readonly reload: string;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    const nginx = `${NGINX} -p ${folder} -c nginx.conf`;
    this.reload = `${nginx} -t -q && ${nginx} -s reload`;
  }

  /** Prepares a server without starting it, because it needs its files first. */
  static async in(folder: string): Promise<Nginx> {
    await mkdir(join(folder, 'logs'));
    return new Nginx(folder, await freePort());
  }

  /** Writes the configuration; `more` can append invalid text. */
  configure(name: string, more = ''): Promise<void> {
    const { folder, port } = this;
    return writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log; worker_processes 1; events {}
       http { access_log off; server { listen 127.0.0.1:${port} ssl; ssl_certificate ${folder}/${name}.crt;
         ssl_certificate_key ${folder}/${name}.key; } } ${more}`,
    );
  }

  /** Starts nginx and returns a function that stops it. */
  start(): () => Promise<void> {
    const args = ['-p', this.folder, '-c', 'nginx.conf', '-e', `${this.folder}/logs/error.log`];
    const child = spawn(NGINX, args, { stdio: 'ignore' });
    return async () => {
      child.kill();
      await once(child, 'exit');
    };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Field {
  readonly uuid: string;
  readonly name: string;
}

/** Builds text attributes by name, as a form sends them. */
const fillForm = (form: readonly Field[], values: Record<string, string>): RequestAttributeDto[] =>
  form.flatMap(({ uuid, name }) => {
    const data = values[name];
    return data === undefined ? [] : [{ uuid, name, contentType: 'string', content: [{ data }] }];
  });

export interface FilesLocation {
  readonly params: { readonly entityUuid: string; readonly locationUuid: string };
  readonly certificateUuid: string;
}

const fileAttributes = (reload: string) => ({
  data_keyFile: 'web.key',
  data_certificateFile: 'web.crt',
  data_reloadCommand: reload,
});

/** Sets a different reload command for a location. */
export async function setReload(client: Client, params: FilesLocation['params'], reload: string): Promise<void> {
  const form = await client.entities.listLocationAttributes({ params });
  const body = { attributes: fillForm(form, fileAttributes(reload)), enabled: true };
  await client.locations.editLocation({ params, body });
}

/** Creates a location for `web.key` and `web.crt` in a named directory, and issues a certificate there. */
export async function issueIntoFiles(
  client: Client,
  { raProfileUuid, reload }: { readonly raProfileUuid: string; readonly reload: string },
): Promise<FilesLocation> {
  const kind = 'PEM';
  const connectors = await client.connectors.listConnectors({ query: { functionGroup: 'entityProvider', kind } });
  const connectorUuid = connectors[0]?.uuid ?? '';
  const ofKind = { uuid: connectorUuid, functionGroup: 'entityProvider', kind } as const;
  const form = await client.connectors.getConnectorAttributes({ params: ofKind });
  const attributes = fillForm(form, { data_transport: 'local', data_directory: 'web' });
  const entity = { name: 'web server', connectorUuid, kind, attributes };
  const { uuid: entityUuid } = await client.entities.createEntityInstance({ body: entity });
  const locationForm = await client.entities.listLocationAttributes({ params: { entityUuid } });
  const body = { name: 'nginx', attributes: fillForm(locationForm, fileAttributes(reload)), enabled: true };
  const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
  const params = { entityUuid, locationUuid };
  const csrForm = await client.locations.listCsrAttributes({ params });
  const csrAttributes = fillForm(csrForm, { data_subject: 'CN=www.example.com', data_keyAlgorithm: 'P-256' });
  const request = { raProfileUuid, csrAttributes, issueAttributes: [] };
  const issued = await client.locations.issueCertificateToLocation({ params, body: request });
  return { params, certificateUuid: issued.certificates[0]?.certificateUuid ?? '' };
}
