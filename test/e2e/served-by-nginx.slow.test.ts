// A real nginx whose certificate is in files: a renewal is finished when nginx serves it, and what was there before
// comes back when nginx is not told, refuses, or serves something else.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueIntoFiles, NGINX, Nginx, setReload, type FilesPlace } from '../load/nginx.ts';
import { historyOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';

const note = NGINX === '' ? ' (skipped: no nginx)' : '';
const soon = { timeout: 20_000, interval: 100 };

describe.skipIf(NGINX === '')(`nginx${note}`, () => {
  let nginx: Nginx;
  let stop: (() => Promise<void>) | undefined;
  let params: FilesPlace['params'];
  let serving: string;
  const server = sharedTestServer({
    args: async () => {
      nginx = await Nginx.in(await mkdtemp(join(tmpdir(), 'signetry-nginx-')));
      return [
        '--entity-directories',
        `web=${nginx.folder}`,
        '--entity-reload-commands',
        `none=true,nginx=${nginx.reload}`,
        '--discovery-networks=127.0.0.1/32',
      ];
    },
  });
  const reloadBy = (command: string) => setReload(server.client, params, command);
  const file = (name: string) => readFile(join(nginx.folder, name), 'utf8');
  const states = async () => {
    const { certificates } = await server.client.locationDeployment.getLocationDeployment({ params });
    return Object.fromEntries(certificates.map(({ certificateUuid, state }) => [certificateUuid, state]));
  };
  const renew = () =>
    server.client.locations.renewCertificateInLocation({ params: { ...params, certificateUuid: serving } });

  /** The latest comes first. */
  const successorIn = ({ certificates }: { readonly certificates: readonly { certificateUuid: string }[] }): string =>
    certificates.find(({ certificateUuid }) => certificateUuid !== serving)?.certificateUuid ?? '';

  beforeAll(async () => {
    const { client } = server;
    const { raProfileUuid } = await defaultProfile(client);
    ({ params, certificateUuid: serving } = await issueIntoFiles(client, { raProfileUuid, reload: 'none' }));
    await nginx.configure('web');
    stop = nginx.start();
    const probe = { host: '127.0.0.1', port: nginx.port, timeoutSeconds: 2, restorePrevious: true };
    await client.locationDeployment.setLocationProbe({ params, body: probe });
    const look = () => client.locationDeployment.lookAtLocation({ params });
    await vi.waitFor(async () => expect((await look()).asExpected).toBe(true), soon);
  });
  afterAll(async () => {
    await stop?.();
    await rm(nginx.folder, { recursive: true, force: true });
  });

  it('that is told of a renewal serves it, and then only is it finished', async () => {
    await reloadBy('nginx');
    const renewed = successorIn(await renew());
    await vi.waitFor(async () => expect(await states()).toEqual({ [renewed]: 'served' }), soon);
    serving = renewed;
  });

  it('that is not told goes on serving what it did, and the files from before come back', async () => {
    await reloadBy('none');
    const before = await file('web.crt');
    const beforeKey = await file('web.key');
    await renew();
    expect(await file('web.crt')).not.toBe(before);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await file('web.crt')).toBe(before);
    expect(await file('web.key')).toBe(beforeKey);
    expect(Object.values(await states()).toSorted()).toEqual(['notServed', 'served']);
    expect((await historyOf(server.client, serving)).join('\n')).toContain('Put back into location nginx');
  });

  it('that refuses to read its files again keeps what it has, and the push is refused with its words', async () => {
    await reloadBy('nginx');
    const before = await file('web.crt');
    await nginx.configure('web', 'nonsense');
    await expect(renew()).rejects.toThrow(/nginx/);
    expect(await file('web.crt')).toBe(before);
    expect((await states())[serving]).toBe('served');
    await nginx.configure('web');
  });

  it('that serves other files is found out, by what it serves', async () => {
    const before = await file('web.crt');
    await writeFile(join(nginx.folder, 'other.crt'), before);
    await writeFile(join(nginx.folder, 'other.key'), await file('web.key'));
    await nginx.configure('other');
    const renewed = successorIn(await renew());
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await file('web.crt')).toBe(before);
    const told = (await historyOf(server.client, renewed)).join('\n');
    expect(told).toMatch(/Not served from location nginx in 2 s: 127\.0\.0\.1:\d+ serves www\.example\.com/);
  });
});
