// Audit operations over HTTP: bodies, headers, errors.
import { inflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { coreActor, coreContext } from '../../kernel/actor.ts';
import { bindRoutes } from '../../platform/http/binder.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { createAuditArea } from './index.ts';

const database = await testDatabase();
const area = createAuditArea(testPlatform(database));
const onFault = (error: Error) => {
  throw error;
};
const server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault });
await server.register(async (scope) =>
  bindRoutes(scope, area.routes ?? [], {
    gatekeeper: {
      authenticate: async () => coreActor,
      authenticateAgain: async () => coreActor,
      authorize: async () => undefined,
      authorizeObjects: async () => undefined,
      visible: (_actor, _operation, answer) => answer,
    },
    onRefusal: ({ context, error }) => area.trail.recordRefusal(context, error),
    onFault,
    checkReplies: true,
  }),
);
afterAll(() => server.close());

const post = (path: string, payload?: object) =>
  server.inject({ method: 'POST', url: `/api${path}`, ...(payload ? { payload } : {}) });
const where = (fieldIdentifier: string, value: unknown) => [
  { fieldSource: 'property', fieldIdentifier, condition: 'EQUALS', value },
];

describe('audit operations', () => {
  it('list successful and rejected operations, with default values', async () => {
    const context = {
      ...coreContext('r'),
      audit: { module: 'core', resource: 'groups', operation: 'create' } as const,
    };
    await database.transaction((tx) => area.trail.append(tx, context, { objects: [{ name: 'web' }] }));
    const refused = await post('/v1/auditLogs/purge', where('NO_FIELD', 'x'));
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      message: expect.stringContaining('NO_FIELD: no such property field'),
    });
    const listed = await post('/v1/auditLogs', {});
    expect(listed.statusCode).toBe(200);
    expect(listed.json()).toMatchObject({
      itemsPerPage: 10,
      pageNumber: 1,
      totalItems: 2,
      totalPages: 1,
      items: [
        {
          operation: 'delete',
          operationResult: 'failure',
          source: { method: 'POST', path: '/api/v1/auditLogs/purge' },
        },
        { operation: 'create', operationResult: 'success', resource: { type: 'groups', objects: [{ name: 'web' }] } },
      ],
    });
  });

  it('reject pages that are out of range and malformed filters with 400', async () => {
    for (const body of [{ itemsPerPage: 1001 }, { pageNumber: 0 }, { filters: where('AUDIT_LOG_TIMESTAMP', 'now') }])
      expect((await post('/v1/auditLogs', body)).statusCode).toBe(400);
    const pattern = { filters: [{ ...where('AUDIT_LOG_MESSAGE', '(')[0], condition: 'MATCHES' }] };
    expect((await post('/v1/auditLogs', pattern)).statusCode).toBe(400);
  });

  it('return the searchable fields', async () => {
    const fields = await server.inject({ method: 'GET', url: '/api/v1/auditLogs/search' });
    expect(fields.json()[0].searchFieldData).toHaveLength(16);
  });

  it('return the export as an archive with a file name, or an empty body', async () => {
    const sent = await post('/v1/auditLogs/export', where('AUDIT_LOG_RESOURCE', 'groups'));
    expect(sent.statusCode).toBe(200);
    expect(sent.headers['content-type']).toBe('application/octet-stream');
    expect(sent.headers['content-disposition']).toMatch(/^attachment; filename="audit-logs_[\dT-]+\.zip"$/);
    const csv = inflateRawSync(sent.rawPayload.subarray(30 + sent.rawPayload.readUInt16LE(26))).toString();
    expect(csv.split('\r\n')).toHaveLength(3);
    const empty = await post('/v1/auditLogs/export', where('AUDIT_LOG_RESOURCE', 'keys'));
    expect(empty.statusCode).toBe(200);
    expect(empty.rawPayload).toHaveLength(0);
    expect(empty.headers['content-disposition']).toBeUndefined();
  });

  it('can verify and purge the audit log', async () => {
    expect((await post('/x/v1/auditLogs/verify')).json()).toMatchObject({ intact: true, brokenLinks: 0, gapCount: 0 });
    const purged = await post('/v1/auditLogs/purge', []);
    expect([purged.statusCode, purged.body]).toEqual([204, '']);
    expect((await post('/v1/auditLogs', {})).json()).toMatchObject({ totalItems: 1, items: [{ operation: 'delete' }] });
    await database.query('DELETE FROM audit_purge');
    expect((await post('/x/v1/auditLogs/verify')).json()).toMatchObject({
      intact: false,
      gapCount: 1,
      firstFault: { id: 1, sequence: 1 },
    });
  });
});
