// The platform is killed while it issues to an end entity. After that, only the platform has the password, and it
// completes the operation: one certificate, recorded, for a password that is used once.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { startTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, vi } from 'vitest';
import { addEndEntity, createLegacyAuthority, type LegacyPath } from './testing/legacy-authorities.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

/** Jobs of a killed process are released when its leases expire. */
const TIMEOUT_MS = 120_000;
const POINTS = ['issue.afterIntent', 'issue.afterSignature', 'issue.afterRecord'] as const;
const directory = join(temporaryFolder(), 'data');

const enroll = async (client: Client, { raProfileName }: LegacyPath, username: string) =>
  client.legacyClientOperations.issueLegacyCertificate({
    params: { raProfileName },
    body: { username, password: 'once', pkcs10: (await makeRequest({ subject: 'CN=x' })).pem },
  });

/** Certificates of an end entity in the inventory, in any state. */
async function certificatesOf(client: Client, name: string) {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1_000 } });
  return certificates.filter(
    ({ commonName, state }) => commonName === name || (commonName === 'x' && state !== 'issued'),
  );
}

describe('a kill during the issuance of an end-entity certificate', { timeout: TIMEOUT_MS }, () => {
  let path: LegacyPath;

  it('setup: creates the authority and its end entities', async () => {
    const server = await startTestServer({ directory, keepData: true });
    path = await createLegacyAuthority(server.client, { name: 'Killed' });
    for (const point of POINTS) await addEndEntity(server.client, path, point);
    await server.stop();
  });

  it.each(POINTS)('at %s leaves exactly one certificate', async (point) => {
    const program = await startProgram({ directory, environment: { SIGNETRY_FAULT_POINT: point } });
    const died = once(program.child, 'exit');
    await expect(enroll(program.client, path, point)).rejects.toThrow();
    expect((await died)[1]).toBe('SIGKILL');

    const server = await startTestServer({ directory, keepData: true });
    const { client } = server;
    const [certificate] = await vi.waitFor(
      async () => {
        const found = await certificatesOf(client, point);
        expect(found.map(({ state }) => state)).toEqual(['issued']);
        return found;
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(certificate?.commonName).toBe(point);
    const params = { ...path, username: point };
    expect((await client.legacyClientOperations.getEndEntity({ params })).status).toBe('GENERATED');
    const kept = await server.running.platform.database.query(
      'SELECT FROM certificate_end_entity WHERE sealed_password IS NOT NULL',
    );
    expect(kept).toEqual([]);
    await expect(enroll(client, path, point)).rejects.toMatchObject({ status: 400 });
    await client.certificates.bulkDeleteCertificate({
      body: {
        uuids: (await certificatesOf(client, point)).filter(({ state }) => state === 'failed').map(({ uuid }) => uuid),
      },
    });
    await server.stop();
  });
});
