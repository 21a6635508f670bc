// Renewals behind nginx: from the request until nginx serves the new certificate.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import { issueIntoFiles, NGINX, Nginx, setReload, type FilesLocation } from './nginx.ts';
import { median, percentile, type BenchmarkReport } from './report.ts';
import { startServerProcess } from './server-process.ts';

const LOOK_MS = 10;

export async function benchPush(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  if (NGINX === '') throw new Error('This benchmark requires nginx (Debian: apt-get install nginx).');
  const count = Number(options.get('renewals') ?? 20);
  const directory = await mkdtemp(join(tmpdir(), 'signetry-bench-'));
  const folder = await mkdtemp(join(tmpdir(), 'signetry-bench-nginx-'));
  const nginx = await Nginx.in(folder);
  const server = await startServerProcess({
    directory,
    args: [
      '--entity-directories',
      `web=${folder}`,
      '--entity-reload-commands',
      `none=true,nginx=${nginx.reload}`,
      '--discovery-networks=127.0.0.1/32',
    ],
  });
  let stop: (() => Promise<void>) | undefined;
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    const [profile] = await client.raProfiles.listRaProfiles();
    const place = await issueIntoFiles(client, { raProfileUuid: profile?.uuid ?? '', reload: 'none' });
    await nginx.configure('web');
    stop = nginx.start();
    await setReload(client, place.params, 'nginx');
    const probe = { host: '127.0.0.1', port: nginx.port, timeoutSeconds: 30, restorePrevious: true };
    await client.locationDeployment.setLocationProbe({ params: place.params, body: probe });
    return await renewals(client, place, count);
  } finally {
    await stop?.();
    await server.stop();
    await Promise.all([directory, folder].map((path) => rm(path, { recursive: true, force: true })));
  }
}

async function renewals(
  client: Client,
  { params, certificateUuid }: FilesLocation,
  count: number,
): Promise<BenchmarkReport> {
  const pushed: number[] = [];
  const served: number[] = [];
  let holding = certificateUuid;
  for (let at = 0; at < count; at += 1) {
    const beganMs = performance.now();
    const { certificates } = await client.locations.renewCertificateInLocation({
      params: { ...params, certificateUuid: holding },
    });
    pushed.push(performance.now() - beganMs);
    holding = certificates.find((each) => each.certificateUuid !== holding)?.certificateUuid ?? '';
    await waitUntilServed(client, params, holding);
    served.push(performance.now() - beganMs);
  }
  return {
    name: `Renewals behind nginx, ${count} one after the other`,
    figures: [
      { name: 'request, issuance, file update and reload, median', value: median(pushed), unit: 'ms' },
      { name: 'until nginx serves it, median', value: median(served), unit: 'ms', goal: '<= 1,500' },
      { name: 'the same, 95th percentile', value: percentile(served, 0.95), unit: 'ms' },
    ],
    notes: ['Each renewal has a new key; files and nginx are on the same machine as the platform.'],
  };
}

async function waitUntilServed(
  client: Client,
  params: FilesLocation['params'],
  certificateUuid: string,
): Promise<void> {
  for (;;) {
    const { certificates } = await client.locationDeployment.getLocationDeployment({ params });
    const state = certificates.find((each) => each.certificateUuid === certificateUuid)?.state;
    if (state === 'served') return;
    if (state !== 'installed') throw new Error(`The certificate is ${state ?? 'missing'}.`);
    await delay(LOOK_MS);
  }
}
