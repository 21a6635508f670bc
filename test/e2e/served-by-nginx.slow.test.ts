// A real nginx with its certificate in files: a renewal is complete once nginx serves it, and the previous files are
// restored if nginx is not reloaded, rejects them, or serves something else.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueIntoFiles, NGINX, Nginx, setReload, type FilesLocation } from '../load/nginx.ts';
import { historyOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';

const note = NGINX === '' ? ' (skipped: no nginx)' : '';
const soon = { timeout: 20_000, interval: 100 };

describe.skipIf(NGINX === '')(`nginx${note}`, () => {
  let nginx: Nginx;
  let stop: (() => Promise<void>) | undefined;
  let params: FilesLocation['params'];
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

  /** The newest comes first. */
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
    const inspectLocation = () => client.locationDeployment.probeLocation({ params });
    await vi.waitFor(async () => expect((await inspectLocation()).asExpected).toBe(true), soon);
  });
  afterAll(async () => {
    await stop?.();
    await rm(nginx.folder, { recursive: true, force: true });
  });

  it('that is reloaded serves the renewed certificate, and only then is the renewal complete', async () => {
    await reloadBy('nginx');
    const renewed = successorIn(await renew());
    await vi.waitFor(async () => expect(await states()).toEqual({ [renewed]: 'served' }), soon);
    serving = renewed;
  });

  it('that is not reloaded keeps serving the previous certificate, whose files are restored', async () => {
    await reloadBy('none');
    const before = await file('web.crt');
    const beforeKey = await file('web.key');
    await renew();
    expect(await file('web.crt')).not.toBe(before);
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await file('web.crt')).toBe(before);
    expect(await file('web.key')).toBe(beforeKey);
    expect(Object.values(await states()).toSorted()).toEqual(['notServed', 'served']);
    expect((await historyOf(server.client, serving)).join('\n')).toContain(
      'Restored to location nginx because www.example.com was not served',
    );
  });

  it("that fails to reload leaves the previous files in place, and the push is rejected with nginx's error message", async () => {
    await reloadBy('nginx');
    const before = await file('web.crt');
    await nginx.configure('web', 'nonsense');
    await expect(renew()).rejects.toThrow(/nginx/);
    expect(await file('web.crt')).toBe(before);
    expect((await states())[serving]).toBe('served');
    await nginx.configure('web');
  });

  it('that serves other files is detected by the certificate it serves', async () => {
    const before = await file('web.crt');
    await writeFile(join(nginx.folder, 'other.crt'), before);
    await writeFile(join(nginx.folder, 'other.key'), await file('web.key'));
    await nginx.configure('other');
    const renewed = successorIn(await renew());
    await vi.waitFor(async () => expect(await states()).toMatchObject({ [serving]: 'served' }), soon);
    expect(await file('web.crt')).toBe(before);
    const told = (await historyOf(server.client, renewed)).join('\n');
    expect(told).toMatch(/Not served from location nginx within 2 s: 127\.0\.0\.1:\d+ serves www\.example\.com/);
  });
});
