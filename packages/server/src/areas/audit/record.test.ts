import { describe, expect, it } from 'vitest';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { recordOf, recordsAsJson } from './record.ts';

const nodeId = '00000000-0000-7000-8000-000000000001';
const now = new Date('2026-11-20T12:00:00Z');
const facts = { module: 'core', resource: 'groups', operation: 'create' } as const;
const context: RequestContext = { ...coreContext('r1'), audit: facts };

describe('an audit record', () => {
  it('takes its facts from the operation, or from the entry before those', () => {
    expect(recordOf(context, { entry: {}, nodeId, now })).toMatchObject({
      ...facts,
      operation_result: 'success',
      actor_type: 'core',
      resource_objects: null,
      source_path: null,
    });
    const own = { module: 'keys', resource: 'keys', operation: 'destroy' } as const;
    expect(recordOf(context, { entry: { facts: own, result: 'failure', message: 'no' }, nodeId, now })).toMatchObject({
      ...own,
      operation_result: 'failure',
      message: 'no',
    });
  });

  it('is refused when nobody says what the operation was', () => {
    expect(() => recordOf(coreContext('r2'), { entry: {}, nodeId, now })).toThrow(
      /r2 changes something but its operation has no audit facts/,
    );
  });

  it('bounds and cleans what clients send', () => {
    const source = {
      method: 'GET',
      path: `/${'x'.repeat(10_000)}`,
      contentType: null,
      ipAddress: null,
      userAgent: 'a\0b\ud800',
    };
    const record = recordOf(
      { ...context, source },
      { entry: { objects: [{ name: 'n'.repeat(1000) }], data: { deep: ['a\0'] } }, nodeId, now },
    );
    expect(record.source_path).toHaveLength(2000);
    expect(record.source_user_agent).toBe('a\uFFFDb\uFFFD');
    expect(record.resource_objects?.[0]?.name).toHaveLength(500);
    expect(JSON.parse(recordsAsJson([record]))[0].operation_data).toEqual({ deep: ['a\uFFFD'] });
  });
});
