import { describe, expect, it } from 'vitest';
import { anonymous, coreContext, type Actor, type RequestContext } from '../../kernel/actor.ts';
import { initialRules as rules } from './logging-rules.ts';
import { recordOf, recordsAsJson } from './record.ts';

const nodeId = '00000000-0000-7000-8000-000000000001';
const now = new Date('2026-11-20T12:00:00Z');
const facts = { module: 'core', resource: 'groups', operation: 'create' } as const;
const context: RequestContext = { ...coreContext('r1'), audit: facts };

describe('an audit record', () => {
  it('uses the facts of the operation, unless the entry overrides them', () => {
    expect(recordOf(context, { entry: {}, nodeId, now, rules })).toMatchObject({
      ...facts,
      operation_result: 'success',
      actor_type: 'core',
      resource_objects: null,
      source_path: null,
    });
    const own = { module: 'keys', resource: 'keys', operation: 'destroy' } as const;
    expect(
      recordOf(context, { entry: { facts: own, result: 'failure', message: 'no' }, nodeId, now, rules }),
    ).toMatchObject({
      ...own,
      operation_result: 'failure',
      message: 'no',
    });
  });

  it('is rejected if the operation has no audit facts', () => {
    expect(() => recordOf(coreContext('r2'), { entry: {}, nodeId, now, rules })).toThrow(
      /r2 changes state, but its operation has no audit facts/,
    );
  });

  const requestTo = (path: string) => ({
    source: { method: 'POST', path, contentType: null, ipAddress: '1'.repeat(500), userAgent: null },
  });
  const recordFor = (actor: Actor, path: string) =>
    recordOf({ ...context, actor, ...requestTo(path) }, { entry: { message: 'm'.repeat(5_000) }, nodeId, now, rules });

  it('omits the query string for unauthenticated callers, and truncates the rest of their input', () => {
    const path = `/api/v1/groups?token=secret&x=${'x'.repeat(5_000)}`;
    for (const actor of [anonymous, { ...anonymous, type: 'protocol' as const }])
      expect(recordFor(actor, path).source_path).toBe('/api/v1/groups');
    const { source_path, message, source_ip_address } = recordFor(anonymous, `/${'p'.repeat(5_000)}`);
    expect([source_path?.length, message?.length, source_ip_address?.length]).toEqual([300, 300, 100]);
    const user = { ...anonymous, type: 'user' as const };
    expect(recordFor(user, '/api/v1/groups?name=web').source_path).toBe('/api/v1/groups?name=web');
  });

  it('truncates and sanitizes client input', () => {
    const source = {
      method: 'GET',
      path: `/${'x'.repeat(10_000)}`,
      contentType: null,
      ipAddress: null,
      userAgent: 'a\0b\ud800',
    };
    const record = recordOf(
      { ...context, source },
      { entry: { objects: [{ name: 'n'.repeat(1000) }], data: { deep: ['a\0'] } }, nodeId, now, rules },
    );
    expect(record.source_path).toHaveLength(2000);
    expect(record.source_user_agent).toBe('a\uFFFDb\uFFFD');
    expect(record.resource_objects?.[0]?.name).toHaveLength(500);
    expect(JSON.parse(recordsAsJson([record]))[0].operation_data).toEqual({ deep: ['a\uFFFD'] });
  });
});
