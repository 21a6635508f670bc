import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { anonymous, coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { createAuditTrail } from './trail.ts';

const database = await testDatabase();
const trail = createAuditTrail(testPlatform(database));

const context: RequestContext = {
  ...coreContext('r1'),
  audit: { module: 'core', resource: 'groups', operation: 'create' },
  source: {
    method: 'POST',
    path: '/api/v1/groups',
    contentType: 'application/json',
    ipAddress: '127.0.0.1',
    userAgent: 'test',
  },
};

const count = async (table: string) =>
  (await database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n;

beforeEach(async () => {
  await database.query('TRUNCATE audit_record, audit_unsealed, object_group CASCADE');
});

describe('the audit trail', () => {
  it('writes the record and its queue entry in the same transaction as the change', async () => {
    await database.transaction(async (tx) => {
      await trail.append(tx, context, { objects: [{ uuid: 'u1', name: 'web' }], data: { a: 1 } });
    });
    expect(await database.query('SELECT * FROM audit_record')).toMatchObject([
      {
        version: '1.1',
        module: 'core',
        resource: 'groups',
        operation: 'create',
        operation_result: 'success',
        resource_objects: [{ uuid: 'u1', name: 'web' }],
        affiliated_resource: null,
        actor_type: 'core',
        actor_name: 'signetry',
        source_method: 'POST',
        source_path: '/api/v1/groups',
        operation_data: { a: 1 },
        additional_data: null,
      },
    ]);
    expect(
      await database.query(
        'SELECT u.node_id = a.node_id AS same FROM audit_unsealed u JOIN audit_record a ON a.id = u.audit_id',
      ),
    ).toEqual([{ same: true }]);
  });

  it('contains nothing if the change is not committed', async () => {
    const failing = database.transaction(async (tx) => {
      await trail.append(tx, context, {});
      throw new Error('later step');
    });
    await expect(failing).rejects.toThrow('later step');
    expect(await count('audit_record')).toBe(0);
    expect(await count('audit_unsealed')).toBe(0);
  });

  it('rejects the change if the record cannot be written', async () => {
    await database.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON audit_record FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const change = database.transaction(async (tx) => {
      await trail.append(tx, context, {});
    });
    await expect(change).rejects.toMatchObject({ code: 'unavailable' });
    await expect(trail.recordRefusal(context, new AppError('unavailable', { reason: 'x' }))).resolves.toBeUndefined();
    await database.query('DROP TRIGGER refuse ON audit_record; DROP FUNCTION refuse');
    expect(await count('audit_record')).toBe(0);
  });

  it('writes multiple records in one statement, each with its own values', async () => {
    const records = ['a', 'b', 'c'].map((name) => trail.record(context, { objects: [{ name }] }));
    await database.transaction((tx) => trail.insertMany(tx, records));
    await database.transaction((tx) => trail.insertMany(tx, []));
    const rows = await database.query<{ name: string }>(
      `SELECT resource_objects -> 0 ->> 'name' AS name FROM audit_record ORDER BY id`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await count('audit_unsealed')).toBe(3);
  });

  it('records rejected operations only if they would change something', async () => {
    const refusal = new AppError('access_denied', { action: 'create', resource: 'groups' });
    await trail.recordRefusal({ ...context, actor: anonymous }, refusal);
    await trail.recordRefusal({ ...context, audit: undefined }, refusal);
    expect(await database.query('SELECT operation_result, actor_type, message FROM audit_record')).toEqual([
      { operation_result: 'failure', actor_type: 'anonymous', message: refusal.message },
    ]);
  });
});
