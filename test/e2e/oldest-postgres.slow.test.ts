// The platform with the oldest supported PostgreSQL version and its default settings. All other tests use the newest
// one.
import { Database } from '@signetry/server/database';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { hasInstalledPostgres, startInstalledPostgres } from '@signetry/testkit/installed-postgres';
import { startTestServer } from '@signetry/testkit/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { declaredHotStatements } from '../../packages/server/src/platform/database/database.ts';
import { OLDEST_SUPPORTED_VERSION } from '../../packages/server/src/platform/database/supported-versions.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const HAS_OLDEST = hasInstalledPostgres(OLDEST_SUPPORTED_VERSION);
const NOTE = HAS_OLDEST ? '' : ` (skipped: no PostgreSQL ${OLDEST_SUPPORTED_VERSION})`;

async function startOverOldest() {
  const postgres = await startInstalledPostgres(OLDEST_SUPPORTED_VERSION);
  onTestFinished(() => postgres.stop());
  const args = externalDatabaseArguments(postgres.connection);
  return { postgres, server: await startTestServer({ args }) };
}

describe.skipIf(!HAS_OLDEST)(`PostgreSQL ${OLDEST_SUPPORTED_VERSION}${NOTE}`, () => {
  it('runs the platform, including issuance, search, statistics, verification and checks of derived data', async () => {
    const { server } = await startOverOldest();
    const { client, ready } = server;
    expect((await client.info.getInfo({})).db.version).toMatch(new RegExp(`^${OLDEST_SUPPORTED_VERSION}\\.`));
    const { authorityUuid, raProfileUuid } = await defaultProfile(client);
    const { der } = await makeRequest({ subject: 'CN=oldest.example', dnsNames: ['oldest.example'] });
    const request = Buffer.from(der).toString('base64');
    const path = `/v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/certificates`;
    const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ request, attributes: [] });
    expect((await fetch(`${ready.api}${path}`, { method: 'POST', headers, body })).status).toBe(200);

    const found = await client.certificates.listCertificates({ body: { itemsPerPage: 10, pageNumber: 1 } });
    expect(found.certificates.map(({ commonName }) => commonName)).toContain('oldest.example');
    expect((await fetch(`${ready.api}/v1/statistics`, { headers })).status).toBe(200);
    expect((await client.derivedData.checkDerivedData({ body: { repair: false } })).sound).toBe(true);
    expect((await fetch(`${ready.http}/health/ready`)).status).toBe(200);
  });

  it('accepts all statements that are prepared once per connection', async () => {
    const { postgres } = await startOverOldest();
    const database = new Database({ connection: postgres.connection, maxConnections: 1, onError: () => undefined });
    onTestFinished(() => database.close());
    const rejected: string[] = [];
    for (const { name, text } of declaredHotStatements())
      await database.query(`PREPARE ${name} AS ${text}`).catch((error: unknown) => rejected.push(`${name}: ${String(error)}`));
    expect(declaredHotStatements().length).toBeGreaterThan(20);
    expect(rejected).toEqual([]);
  }); // prettier-ignore
});
