// The process dies in the middle of an import and of a change of many certificates: the import is repeated, the change
// goes on by itself, and both come to exact counts.
import { once } from 'node:events';
import { join } from 'node:path';
import { createClient } from '@signetry/client';
import { startTestServer, type TestServer } from '@signetry/testkit';
import { expect, it } from 'vitest';
import { certificateMaker } from '../load/import.ts';
import { startProgram, temporaryFolder } from './testing/program.ts';

/** Three starts. */
const TIMEOUT_MS = 180_000;
const CERTIFICATES = 3_500;
const directory = join(temporaryFolder(), 'data');

const start = (): Promise<TestServer> => startTestServer({ directory, keepData: true });

/** Asks a platform that dies at this point, and waits for its death. */
async function dyingAt(
  point: string,
  ask: (client: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<void> {
  const program = await startProgram({ directory, environment: { SIGNETRY_FAULT_POINT: point } });
  const died = once(program.child, 'exit');
  await ask(program.client).catch(() => undefined);
  const [, signal] = (await died) as [number | null, string | null]; // what `exit` hands over
  expect(signal).toBe('SIGKILL');
}

it(
  'an import and a change of many come to exact counts although the process was killed in the middle',
  { timeout: TIMEOUT_MS },
  async () => {
    const make = await certificateMaker();
    const body = { files: [{ name: 'all.pem', content: make(CERTIFICATES) }] };
    await (await start()).stop();
    await dyingAt('certificates.afterImport:2', (client) => client.certificateImport.importCertificates({ body }));

    const between = await start();
    const report = await between.client.certificateImport.importCertificates({ body });
    expect(report).toMatchObject({ imported: CERTIFICATES - 2_000, known: 2_000, refused: 0 });
    const { database } = between.running.platform;
    const [rows] = await database.query(
      `SELECT count(*)::int AS certificates, count(DISTINCT fingerprint)::int AS different,
       (SELECT count(*)::int FROM certificate_history WHERE message = 'Certificate imported from all.pem') AS told,
       (SELECT count(*)::int FROM certificate_text WHERE text LIKE '%.example.com%') AS texts
     FROM certificate WHERE common_name LIKE 'host%.example.com'`,
    );
    expect(rows).toEqual({
      certificates: CERTIFICATES,
      different: CERTIFICATES,
      told: CERTIFICATES,
      texts: CERTIFICATES,
    });
    const groupUuid = (await between.client.groups.createGroup({ body: { name: 'imported' } })).uuid;
    await between.stop();

    const filters = [
      {
        fieldSource: 'property',
        fieldIdentifier: 'COMMON_NAME',
        condition: 'ENDS_WITH',
        value: '.example.com',
      } as const,
    ];
    await dyingAt('certificates.afterSet:2', async (client) => {
      await client.certificates.bulkUpdateCertificateObjects({ body: { filters, groupUuids: [groupUuid] } });
    });

    const after = await start();
    const newest = async () => (await after.client.certificateChanges.listCertificateChanges())[0];
    await expect.poll(async () => (await newest())?.finishedAt, { timeout: 90_000, interval: 500 }).toBeDefined();
    expect(await newest()).toMatchObject({ total: CERTIFICATES, changed: CERTIFICATES, refused: 0 });
    const [counts] = await after.running.platform.database.query(
      `SELECT (SELECT count(*)::int FROM group_membership WHERE group_uuid = $1) AS members,
       (SELECT count(*)::int FROM certificate_history WHERE event = 'Update Group') AS told`,
      [groupUuid],
    );
    expect(counts).toEqual({ members: CERTIFICATES, told: CERTIFICATES });
    await after.stop();
  },
);
