import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const record = {
  id: 7,
  version: '1.1',
  loggedAt: '2026-11-20T11:00:00Z',
  timestamp: '2026-11-20T11:00:00Z',
  module: 'core',
  actor: { type: 'user', authMethod: 'token', name: 'admin' },
  resource: { type: 'groups', objects: [{ name: 'web' }] },
  operation: 'delete',
  operationResult: 'failure',
  message: 'No such group.',
};
const page = { items: [record], itemsPerPage: 50, pageNumber: 1, totalPages: 3, totalItems: 101 };

describe('audit list', () => {
  it('sends its options as search filters, and shows a page', async () => {
    const reply = ({ body: sent }: { body: unknown }) => {
      const field = (fieldIdentifier: string, condition: string, value: unknown) => ({
        fieldSource: 'property',
        fieldIdentifier,
        condition,
        value,
      });
      expect(sent).toEqual({
        filters: [
          field('AUDIT_LOG_ACTOR_NAME', 'CONTAINS', 'admin'),
          field('AUDIT_LOG_RESOURCE_UUID', 'EQUALS', 'u1'),
          field('AUDIT_LOG_TIMESTAMP', 'IN_PAST', 'PT43200S'),
          field('AUDIT_LOG_OPERATION_RESULT', 'EQUALS', ['failure']),
        ],
        pageNumber: 1,
        itemsPerPage: 50,
      });
      return { body: page };
    };
    const asked = ['--filter', 'AUDIT_LOG_ACTOR_NAME=admin', '--object', 'u1', '--since', '12h', '--failures'];
    const { code, out, err } = await ask({ 'POST /v1/auditLogs': reply }, ['audit', 'list', ...asked]);
    expect(code).toBe(0);
    expect(out).toMatch(/admin +delete +groups +web +failure/);
    expect(err).toContain('101 records, page 1 of 3.');
  });

  it('rejects a filter without a field, or with an unknown field', async () => {
    expect(await ask({}, ['audit', 'list', '--filter', 'admin'])).toMatchObject({ code: 2 });
    const { code, err } = await ask({}, ['audit', 'list', '--filter', 'AUDIT_LOG_ACTOR_NAM=admin']);
    expect(code).toBe(2);
    expect(err).toContain('Did you mean AUDIT_LOG_ACTOR_NAME?');
  });
});
