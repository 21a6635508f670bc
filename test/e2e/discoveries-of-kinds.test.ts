// Discoveries by the built-in connectors for logs and files: what they find comes into the inventory, and says where it
// was seen.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestAttributeDto } from '@signetry/contract';
import { writePem } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { createLoggedAuthority, startCtLog, type CtLog } from '@signetry/testkit/ct-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from './testing/discoveries.ts';

let folder: string;
let log: CtLog;
let authority: Awaited<ReturnType<typeof createLoggedAuthority>>;
const server = sharedTestServer({
  args: async () => {
    folder = await mkdtemp(join(tmpdir(), 'signetry-found-'));
    return ['--discovery-directories', `tls=${folder}`, '--egress-allowed-hosts', '127.0.0.1'];
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

/** Runs a discovery with the values of its form by name; content types are those of the form. */
async function discover(kind: string, values: Readonly<Record<string, unknown>>) {
  const { client } = server;
  const functionGroup = 'discoveryProvider' as const;
  const [connector] = await client.connectors.listConnectors({ query: { functionGroup, kind } });
  const connectorUuid = connector?.uuid ?? expect.fail(`no connector has the kind ${kind}`);
  const form = await client.connectors.getConnectorAttributes({ params: { uuid: connectorUuid, functionGroup, kind } });
  const attributes = form.flatMap(({ uuid, name, type, ...rest }): RequestAttributeDto[] => {
    if (type !== 'data' || values[name] === undefined || !('contentType' in rest)) return [];
    const { contentType } = rest;
    return [{ uuid, name, contentType, content: [{ data: values[name] }] } as RequestAttributeDto]; // as the form says
  });
  const body = { name: `${kind} ${randomUUID()}`, connectorUuid, kind, attributes };
  const { uuid } = await client.discoveries.createDiscovery({ body });
  const progress = await untilEnd(client, uuid);
  const page = { itemsPerPage: 100, pageNumber: 1 };
  const { certificates } = await client.discoveries.getDiscoveryCertificates({ params: { uuid }, query: page });
  return { progress, names: certificates.map(({ commonName }) => commonName).toSorted(), certificates };
}

describe('in a transparency log', () => {
  it('certificates of a domain come into the inventory, and the next one goes on behind them', async () => {
    const logged = (...names: string[]) => ({ certificate: authority.issue(...names).certificate, chain: [authority.der] }); // prettier-ignore
    log.add(logged('www.example.com'), logged('www.elsewhere.test'), logged('api.example.com'));
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
    log.add(logged('later.example.com'));
    const second = await discover('CT-Static', values);
    expect(second.names).toContain('later.example.com');
    expect(second.names).not.toContain('www.example.com');
  });

  it('that cannot be reached fails, and says so', async () => {
    const values = { data_logUrl: 'http://127.0.0.1:1/', data_domains: 'example.com', data_start: 'beginning' };
    const { progress } = await discover('CT-Static', values);
    expect(progress.status).toBe('failed');
    const { metadata = [] } = await server.client.discoveries.getDiscovery({ params: { uuid: progress.uuid } });
    const remarks = metadata.flatMap(({ items }) => items).find(({ name }) => name === 'reason');
    expect(JSON.stringify(remarks?.content)).toContain('The log refuses connections');
  });
});

describe('in files of the machine', () => {
  it('certificates come into the inventory with the name of their file; what is none is told', async () => {
    await writeFile(
      join(folder, 'site.pem'),
      writePem('CERTIFICATE', authority.issue('files.example.com').certificate),
    );
    await writeFile(join(folder, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const { progress, names, certificates } = await discover('Files', { data_directories: 'tls' });
    expect(names).toEqual(['files.example.com']);
    expect(progress.found).toBe(1);
    const uuid = certificates[0]?.inventoryUuid ?? expect.fail('it is not in the inventory');
    const { metadata = [] } = await server.client.certificates.getCertificate({ params: { uuid } });
    expect(JSON.stringify(metadata)).toContain('site.pem');
  });
});
