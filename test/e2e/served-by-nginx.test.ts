// A real nginx whose certificate is in files: a renewal is finished when nginx serves it, and what was there before
// comes back when nginx is not told, refuses, or serves something else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';

const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path)) ?? '';
const note = NGINX === '' ? ' (skipped: no nginx)' : '';
const soon = { timeout: 20_000, interval: 100 };

interface Field {
  readonly uuid: string;
  readonly name: string;
}

/** Texts by name, as a form sends them. */
const filled = (form: readonly Field[], values: Record<string, string>): RequestAttributeDto[] =>
  form.flatMap(({ uuid, name }) => {
    const data = values[name];
    return data === undefined ? [] : [{ uuid, name, contentType: 'string', content: [{ data }] }];
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.skipIf(NGINX === '')(`nginx${note}`, () => {
  let folder: string;
  let stopNginx: (() => Promise<void>) | undefined;
  let port: number;
  let params: { readonly entityUuid: string; readonly locationUuid: string };
  let serving: string;
  const server = sharedTestServer({
    args: async () => {
      folder = await mkdtemp(join(tmpdir(), 'signetry-nginx-'));
      await mkdir(join(folder, 'logs'));
      port = await freePort();
      const command = `${NGINX} -p ${folder} -c nginx.conf -t -q && ${NGINX} -p ${folder} -c nginx.conf -s reload`;
      return [
        '--entity-directories',
        `web=${folder}`,
        '--entity-reload-commands',
        `none=true,nginx=${command}`,
        '--discovery-networks=127.0.0.1/32',
      ];
    },
  });

  const conf = (name: string): string => `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log;
    worker_processes 1; events {}
    http { access_log off; server { listen 127.0.0.1:${port} ssl; ssl_certificate ${folder}/${name}.crt;
      ssl_certificate_key ${folder}/${name}.key; } }`;
  const configure = (name: string) => writeFile(join(folder, 'nginx.conf'), conf(name));
  const setReload = async (reload: string) => {
    const { client } = server;
    const form = await client.entities.listLocationAttributes({ params });
    const files = { data_keyFile: 'web.key', data_certificateFile: 'web.crt', data_reloadCommand: reload };
    await client.locations.editLocation({ params, body: { attributes: filled(form, files), enabled: true } });
  };
  const states = async () => {
    const { certificates } = await server.client.locationDeployment.getLocationDeployment({ params });
    return Object.fromEntries(certificates.map(({ certificateUuid, state }) => [certificateUuid, state]));
  };
  const renew = () => server.client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid: serving } }); // prettier-ignore

  beforeAll(async () => {
    const { client } = server;
    const all = await client.connectors.listConnectors({ query: { functionGroup: 'entityProvider', kind: 'PEM' } });
    const connectorUuid = all[0]?.uuid ?? '';
    const form = await client.connectors.getConnectorAttributes({ params: { uuid: connectorUuid, functionGroup: 'entityProvider', kind: 'PEM' } }); // prettier-ignore
    const attributes = filled(form, { data_transport: 'local', data_directory: 'web' });
    const entity = { name: 'web server', connectorUuid, kind: 'PEM', attributes };
    const { uuid: entityUuid } = await client.entities.createEntityInstance({ body: entity });
    const locationForm = await client.entities.listLocationAttributes({ params: { entityUuid } });
    const files = { data_keyFile: 'web.key', data_certificateFile: 'web.crt', data_reloadCommand: 'none' };
    const body = { name: 'nginx', attributes: filled(locationForm, files), enabled: true };
    const { uuid: locationUuid } = await client.locations.addLocation({ params: { entityUuid }, body });
    params = { entityUuid, locationUuid };
    const csrAttributes = filled(await client.locations.listCsrAttributes({ params }), {
      data_subject: 'CN=www.example.com',
      data_keyAlgorithm: 'P-256',
    });
    const { raProfileUuid } = await defaultProfile(client);
    const request = { raProfileUuid, csrAttributes, issueAttributes: [] };
    const issued = await client.locations.issueCertificateToLocation({ params, body: request });
    serving = issued.certificates[0]?.certificateUuid ?? '';
    await configure('web');
    const child = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf', '-e', `${folder}/logs/error.log`], { stdio: 'ignore' }); // prettier-ignore
    stopNginx = async () => {
      child.kill();
      await once(child, 'exit');
    };
    const probe = { host: '127.0.0.1', port, timeoutSeconds: 2, restorePrevious: true };
    await client.locationDeployment.setLocationProbe({ params, body: probe });
    await vi.waitFor(async () => expect((await client.locationDeployment.lookAtLocation({ params })).asExpected).toBe(true), soon); // prettier-ignore
  }, 120_000);
  afterAll(async () => {
    await stopNginx?.();
    await rm(folder, { recursive: true, force: true });
  });

  it('that is told of a renewal serves it, and then only is it finished', async () => {
    await setReload('nginx');
    const { certificates } = await renew();
    const [renewed] = certificates.map((each) => each.certificateUuid).filter((uuid) => uuid !== serving);
    await vi.waitFor(async () => expect(await states()).toEqual({ [renewed ?? '']: 'served' }), soon);
    serving = renewed ?? '';
  });

  it('that is not told goes on serving what it did, and the files from before come back', async () => {
    await setReload('none');
    const before = await readFile(join(folder, 'web.crt'), 'utf8');
    const beforeKey = await readFile(join(folder, 'web.key'), 'utf8');
    await renew();
    expect(await readFile(join(folder, 'web.crt'), 'utf8')).not.toBe(before);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await readFile(join(folder, 'web.crt'), 'utf8')).toBe(before);
    expect(await readFile(join(folder, 'web.key'), 'utf8')).toBe(beforeKey);
    expect(Object.values(await states()).toSorted()).toEqual(['notServed', 'served']);
    expect((await historyOf(server.client, serving)).join('\n')).toContain('Put back into location nginx');
  });

  it('that refuses to read its files again keeps what it has, and the push is refused with its words', async () => {
    await setReload('nginx');
    const before = await readFile(join(folder, 'web.crt'), 'utf8');
    await writeFile(join(folder, 'nginx.conf'), `${conf('web')} nonsense`);
    await expect(renew()).rejects.toThrow(/nginx/);
    expect(await readFile(join(folder, 'web.crt'), 'utf8')).toBe(before);
    expect((await states())[serving]).toBe('served');
    await configure('web');
  });

  it('that serves other files is found out, by what it serves', async () => {
    const before = await readFile(join(folder, 'web.crt'), 'utf8');
    await writeFile(join(folder, 'other.crt'), before);
    await writeFile(join(folder, 'other.key'), await readFile(join(folder, 'web.key')));
    await configure('other');
    const { certificates } = await renew();
    const [renewed = ''] = certificates
      .filter(({ certificateUuid }) => certificateUuid !== serving)
      .map((each) => each.certificateUuid)
      .slice(0, 1);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await readFile(join(folder, 'web.crt'), 'utf8')).toBe(before);
    const told = (await historyOf(server.client, renewed)).join('\n');
    expect(told).toMatch(/Not served from location nginx in 2 s: 127\.0\.0\.1:\d+ serves www\.example\.com/);
  });
});
