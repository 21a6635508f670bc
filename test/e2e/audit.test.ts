// The audit log from outside: its contents, and that it cannot be changed unnoticed.
import type { Client } from '@signetry/client';
import { readFile } from 'node:fs/promises';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { createAcmeTestClient } from '@signetry/testkit/acme';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const ABSENT = '00000000-0000-4000-8000-000000000000';

const server = sharedTestServer();
let client: Client;

beforeAll(() => {
  ({ client } = server);
});

const newest = async () => (await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1 } })).items[0];

describe('the audit log', () => {
  it('records who performed which operation on which object, and from where', async () => {
    const { uuid } = await issue(
      client,
      await defaultProfile(client),
      await makeRequest({ subject: 'CN=audited.example' }),
    );
    expect(await newest()).toMatchObject({
      module: 'certificates',
      operation: 'issue',
      operationResult: 'success',
      actor: { type: 'user', authMethod: 'token', name: 'admin' },
      source: { method: 'POST', ipAddress: '127.0.0.1' },
      resource: { type: 'certificates', objects: [{ uuid }] },
    });
  });

  it('also records rejected attempts with the reason', async () => {
    await expect(client.groups.createGroup({ body: { name: '' } })).rejects.toMatchObject({ status: 400 });
    expect(await newest()).toMatchObject({
      operation: 'create',
      operationResult: 'failure',
      resource: { type: 'groups' },
    });
    await send(server.ready.http, '/api/v1/groups', { headers: { authorization: 'Bearer of-nobody' } });
    expect(await newest()).toMatchObject({ module: 'auth', operationResult: 'failure' });
  });

  it('records read access to the configured resources, with the objects read', async () => {
    const { uuid } = await client.groups.createGroup({ body: { name: 'looked at' } });
    await client.auditReadsSettings.updateAuditReadsSettings({ body: { allResources: false, resources: ['groups'] } });
    await client.groups.getGroup({ params: { uuid } });
    await client.users.listUsers();
    await expect(client.groups.getGroup({ params: { uuid: ABSENT } })).rejects.toMatchObject({ status: 404 });
    await vi.waitFor(async () => {
      const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 2 } });
      expect(items).toMatchObject([
        { operation: 'detail', operationResult: 'failure', resource: { type: 'groups', objects: [{ uuid: ABSENT }] } },
        { operation: 'detail', resource: { type: 'groups', objects: [{ uuid, name: 'looked at' }] } },
      ]);
    }, 10_000);
    await client.auditReadsSettings.updateAuditReadsSettings({ body: { allResources: false } });
  });

  it('is exported as JSON lines that match the records in the list', async () => {
    const filters: SearchFilterRequestDto[] = [
      { fieldSource: 'property', fieldIdentifier: 'AUDIT_LOG_RESOURCE', condition: 'EQUALS', value: ['groups'] },
    ];
    const { items } = await client.auditLogs.listAuditLogs({ body: { filters, itemsPerPage: 1000 } });
    const text = Buffer.from(await client.auditLines.exportAuditLogLines({ body: filters })).toString();
    const lines = text.split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(items);
    expect(items.length).toBeGreaterThan(1);
  });

  it('records every change, and a change that cannot be recorded is rejected, over both REST and ACME', async () => {
    const profile = await defaultProfile(client);
    const request = await makeRequest({ subject: 'CN=unrecorded.example' });
    const connect = async () =>
      createAcmeTestClient({
        directoryUrl: server.ready.acmeDirectory,
        ca: await readFile(server.ready.rootCertificate),
      });
    const [known, stranger] = [await connect(), await connect()];
    onTestFinished(async () => void (await Promise.all([known.close(), stranger.close()])));
    expect((await known.newAccount()).status).toBe(201);
    const { database } = server.running.platform;
    await database.query(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_record FOR EACH ROW EXECUTE FUNCTION refuse_audit()`);
    try {
      const statuses = await Promise.all([
        client.groups.createGroup({ body: { name: 'unrecorded' } }).catch(({ status }) => status),
        issue(client, profile, request).catch(({ status }) => status),
        stranger.newAccount().then(({ status }) => status),
        known.newOrder(['unrecorded.example']).then(({ status }) => status),
      ]);
      expect(statuses).toEqual([503, 503, 503, 503]);
    } finally {
      await database.query('DROP TRIGGER refuse_audit ON audit_record; DROP FUNCTION refuse_audit');
    }
    expect((await client.groups.listGroups()).map(({ name }) => name)).not.toContain('unrecorded');
  });

  it('is exported as a ZIP archive', async () => {
    const archive = await client.auditLogs.exportAuditLogs({ body: [] });
    expect(Buffer.from(archive.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
  });

  it('is intact immediately after a period in which it was not sealed', async () => {
    await client.groups.createGroup({ body: { name: 'before the pause' } });
    await server.running.platform.database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '1 hour'`);
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true, unsealedOverdue: 0 });
  });

  it('identifies a record that was altered directly in the database', async () => {
    await client.groups.createGroup({ body: { name: 'innocent' } });
    const id = (await newest())?.id;
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true });
    await server.running.platform.database.query('UPDATE audit_record SET actor_name = $1 WHERE id = $2', ['x', id]);
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({
      intact: false,
      badRecords: 1,
      firstFault: { id },
    });
  });
});
