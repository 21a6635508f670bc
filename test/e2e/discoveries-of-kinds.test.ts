// Discoveries by the built-in connectors for CT logs, files and networks: found certificates are imported, with the
// place where they were found.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { writePem } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { createLoggedAuthority, startCtLog, type CtLog } from '@signetry/testkit/ct-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverOfKind } from './testing/discoveries.ts';
import { makeYearZeroCertificate } from './testing/year-zero.ts';

let folder: string;
let log: CtLog;
let authority: Awaited<ReturnType<typeof createLoggedAuthority>>;
const server = sharedTestServer({
  args: async () => {
    folder = await mkdtemp(join(tmpdir(), 'signetry-found-'));
    return [
      '--discovery-directories',
      `tls=${folder}`,
      '--egress-allowed-hosts',
      '127.0.0.1',
      '--discovery-networks',
      '127.0.0.0/8',
    ];
  },
});

beforeAll(async () => {
  authority = await createLoggedAuthority();
  log = await startCtLog();
});
afterAll(async () => {
  await log?.close();
  await rm(folder, { recursive: true, force: true });
});

const discover = (kind: string, values: Readonly<Record<string, unknown>>) =>
  discoverOfKind(server.client, kind, values);

describe('a discovery in a CT log', () => {
  it("imports a domain's certificates, and the next discovery continues after them", async () => {
    const issueLogged = (...names: string[]) => ({
      certificate: authority.issue(...names).certificate,
      chain: [authority.der],
    });
    log.add(issueLogged('www.example.com'), issueLogged('www.elsewhere.test'), issueLogged('api.example.com'));
    const values = {
      data_logUrl: log.url,
      data_logKey: Buffer.from(log.spki).toString('base64'),
      data_domains: 'example.com',
      data_start: 'lastTime',
      data_ratePerSecond: 1_000,
    };
    const first = await discover('CT-Static', values);
    expect(first.progress).toMatchObject({ status: 'completed', refused: 0 });
    expect(first.names).toEqual(expect.arrayContaining(['api.example.com', 'www.example.com']));
    expect(first.names).not.toContain('www.elsewhere.test');
    const found = first.certificates.find(({ commonName }) => commonName === 'www.example.com');
    const uuid = found?.inventoryUuid ?? expect.fail('it is not in the inventory');
    const { metadata = [] } = await server.client.certificates.getCertificate({ params: { uuid } });
    expect(JSON.stringify(metadata)).toContain(log.url.replace(/\/$/, ''));
    log.add(issueLogged('later.example.com'));
    const second = await discover('CT-Static', values);
    expect(second.names).toContain('later.example.com');
    expect(second.names).not.toContain('www.example.com');
  });
});

describe('a discovery in local files', () => {
  it('imports certificates with their file names, and reports files without a certificate', async () => {
    await writeFile(
      join(folder, 'site.pem'),
      writePem('CERTIFICATE', authority.issue('files.example.com').certificate),
    );
    await writeFile(
      join(folder, 'clockless.pem'),
      (await makeYearZeroCertificate('clockless.example.com')).certificate,
    );
    await writeFile(join(folder, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const { progress, names, certificates } = await discover('Files', { data_directories: 'tls' });
    expect(names).toEqual(['clockless.example.com', 'files.example.com']);
    expect(progress.found).toBe(2);
    const found = certificates.find(({ commonName }) => commonName === 'files.example.com');
    const uuid = found?.inventoryUuid ?? expect.fail('it is not in the inventory');
    const { metadata = [] } = await server.client.certificates.getCertificate({ params: { uuid } });
    expect(JSON.stringify(metadata)).toContain('site.pem');
  });
});

describe('a network discovery', () => {
  it('finds a device whose certificate starts in the year 0', async () => {
    const clockless = await makeYearZeroCertificate('device.example.com');
    const listener = createTlsServer({ cert: clockless.certificate, key: clockless.key }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo; // A listening TCP server has this address type.
    const { progress, names, certificates } = await discover('IP-Hostname', { ip: '127.0.0.1', port: String(port) });
    listener.close();
    expect(progress).toMatchObject({ status: 'completed', refused: 0 });
    expect(names).toEqual(['device.example.com']);
    const uuid = certificates.find(({ commonName }) => commonName === 'device.example.com')?.inventoryUuid ?? '';
    const detail = await server.client.certificates.getCertificate({ params: { uuid } });
    expect(detail.notBefore).toBe('0000-01-01T00:00:00.000Z');
  });
});
