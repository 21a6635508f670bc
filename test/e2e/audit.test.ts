// The audit log seen from outside: what is in it, and that nobody can change it unnoticed.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;

beforeAll(() => {
  ({ client } = server);
});

const newest = async () => (await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1 } })).items[0];

describe('the audit log', () => {
  it('names who did what, from where, to which object', async () => {
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

  it('has the refused attempts, too, with their reason', async () => {
    await expect(client.groups.createGroup({ body: { name: '' } })).rejects.toMatchObject({ status: 400 });
    expect(await newest()).toMatchObject({
      operation: 'create',
      operationResult: 'failure',
      resource: { type: 'groups' },
    });
    await send(server.ready.http, '/api/v1/groups', { headers: { authorization: 'Bearer of-nobody' } });
    expect(await newest()).toMatchObject({ module: 'auth', operationResult: 'failure' });
  });

  it('is exported as a ZIP archive', async () => {
    const archive = await client.auditLogs.exportAuditLogs({ body: [] });
    expect(Buffer.from(archive.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
  });

  it('is whole right after a pause in which nobody could seal it', async () => {
    await client.groups.createGroup({ body: { name: 'before the pause' } });
    await server.running.platform.database.query(`UPDATE audit_unsealed SET queued_at = queued_at - interval '1 hour'`);
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true, unsealedOverdue: 0 });
  });

  it('tells which record was altered behind its back', async () => {
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
