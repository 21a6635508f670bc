// Logging settings apply immediately on the node that receives them, and soon after on all other nodes.
import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditLoggingSettingsDto } from '@signetry/contract';
import { createLogger } from '@signetry/server/services';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { coreContext, noPermissions, type RequestContext } from '../../kernel/actor.ts';
import { createLoggingPolicy } from './logging-policy.ts';
import { initialRules } from './logging-rules.ts';
import { createLoggingSettings } from './logging-settings.ts';
import { createAuditPrinter } from './printer.ts';
import { createAuditTrail } from './trail.ts';

const database = await testDatabase();
const lines: { readonly msg: string; readonly audit?: object }[] = [];
const destination = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()));
    done();
  },
});
const platform = testPlatform(database, { log: createLogger({ level: 'info', destination }) });
const policy = createLoggingPolicy(platform);
const trail = createAuditTrail(platform, policy.rules);
const { logging, reads } = createLoggingSettings(platform, { policy, trail });
const printer = createAuditPrinter(platform);

const source = { method: 'GET', path: '/api/v1/groups', contentType: null, ipAddress: '192.0.2.1', userAgent: null };
const groups: RequestContext = {
  ...coreContext('r1'),
  actor: { ...coreContext('r1').actor, type: 'user', authMethod: 'token', username: 'admin' },
  audit: { module: 'core', resource: 'groups', operation: 'create' },
  source,
};
const reading: RequestContext = {
  ...groups,
  audit: undefined,
  read: { module: 'core', resource: 'groups', operation: 'detail' },
};
const settings: RequestContext = {
  ...groups,
  audit: { module: 'core', resource: 'settings', operation: 'update' },
};

const choose = (auditLogs: Partial<AuditLoggingSettingsDto>, context = settings) =>
  logging.change(
    { auditLogs: { ...initialRules.auditLogs, ...auditLogs }, eventLogs: initialRules.auditLogs },
    context,
  );
const change = () => database.transaction((tx) => trail.append(tx, groups, { objects: [{ name: 'web' }] }));
const stored = async () =>
  (
    await database.query<{ what: string }>(`SELECT resource || ' ' || operation AS what FROM audit_record ORDER BY id`)
  ).map(({ what }) => what);
const printed = async () => {
  await printer.print();
  return lines.flatMap(({ audit }) => audit ?? []);
};

beforeEach(async () => {
  await choose({});
  await reads.change({ allResources: false, resources: [] }, settings);
  await database.query('TRUNCATE audit_record, audit_unsealed, audit_line');
  lines.length = 0;
});

describe('logging settings', () => {
  it('can disable audit records, except the record of that change itself', async () => {
    await choose({ output: 'NONE' });
    await change();
    await trail.recordRefusal(groups, { message: 'refused' });
    await choose({ output: 'DATABASE', ignoredResources: ['settings'] });
    await change();
    expect(await stored()).toEqual(['settings update', 'settings update', 'groups create']);
    expect(await printed()).toEqual([]);
  });

  it('can be reduced only with full permissions, which a token with a limited scope never has', async () => {
    const limited = { ...settings, actor: { ...settings.actor, permissions: noPermissions } };
    const scoped = { ...settings, actor: { ...settings.actor, hasScope: true as const } };
    for (const context of [limited, scoped]) {
      await expect(choose({ output: 'NONE' }, context)).rejects.toMatchObject({ code: 'access_denied' });
      await expect(choose({ ignoredResources: ['groups'] }, context)).rejects.toMatchObject({ code: 'access_denied' });
      await choose({ output: 'ALL' }, context);
    }
    expect(policy.rules().auditLogs.output).toBe('ALL');
    await change();
    expect(await stored()).toEqual(['settings update', 'settings update', 'groups create']);
  });

  it('exclude ignored resources', async () => {
    await choose({ ignoredResources: ['groups'] });
    await change();
    expect(await stored()).toEqual(['settings update']);
  });

  it('can send records to the log instead of the database, after the change is committed', async () => {
    await choose({ output: 'CONSOLE' });
    const failing = database.transaction(async (tx) => {
      await trail.append(tx, groups, { objects: [{ name: 'never' }] });
      throw new Error('later step');
    });
    await expect(failing).rejects.toThrow('later step');
    await change();
    expect(await stored()).toEqual(['settings update']);
    const lines = await printed();
    expect(lines).toMatchObject([
      {
        node: platform.nodeId,
        module: 'core',
        operation: 'create',
        operationResult: 'success',
        actor: { name: 'admin' },
        source: { method: 'GET', path: '/api/v1/groups', ipAddress: '192.0.2.1' },
        resource: { type: 'groups', objects: [{ name: 'web' }] },
      },
    ]);
    expect(await printed()).toEqual(lines);
  });

  it('can send records to both the log and the database', async () => {
    await choose({ output: 'ALL' });
    await change();
    expect(await stored()).toEqual(['settings update', 'groups create']);
    expect(await printed()).toMatchObject([{ operation: 'create' }]);
  });

  it('take effect on another node when that node refreshes them', async () => {
    const other = createLoggingPolicy(platform);
    await choose({ output: 'NONE' });
    expect(other.rules().auditLogs.output).toBe('DATABASE');
    await other.refresh();
    expect(other.rules().auditLogs.output).toBe('NONE');
  });

  it('add request parameters if they are verbose, but no secrets', async () => {
    const parameters = { params: {}, query: {}, body: { name: 'web', password: 'hidden-one' } };
    const append = (context: RequestContext) =>
      database.transaction((tx) => trail.append(tx, context, { additional: { own: 1 } }));
    await append({ ...groups, parameters });
    await choose({ verbose: true });
    await append({ ...groups, parameters });
    const rows = await database.query<{ additional_data: object | null }>(
      `SELECT additional_data FROM audit_record WHERE resource = 'groups' ORDER BY id`,
    );
    expect(rows.map(({ additional_data }) => additional_data)).toEqual([
      { own: 1 },
      { own: 1, parameters: { params: {}, query: {}, body: { name: 'web', password: '[hidden]' } } },
    ]);
  });
});

describe('records of reads', () => {
  const read = async () => {
    trail.recordRead(reading, () => [{ uuid: 'u1' }]);
    await trail.recordRefusal(reading, { message: 'No such group.' });
    await trail.settleReads();
    return stored();
  };

  it('are written for the selected resources, including rejected reads', async () => {
    expect(await read()).toEqual([]);
    await reads.change({ allResources: false, resources: ['groups'] }, settings);
    expect(await read()).toEqual(['settings update', 'groups detail', 'groups detail']);
    expect(
      await database.query(`SELECT operation_result, message FROM audit_record WHERE resource = 'groups'`),
    ).toEqual([
      { operation_result: 'success', message: null },
      { operation_result: 'failure', message: 'No such group.' },
    ]);
  });

  it('wait if the database is unavailable, and never delay the read', async () => {
    await reads.change({ allResources: true, resources: [] }, settings);
    await database.query('ALTER TABLE audit_record RENAME TO audit_record_away');
    trail.recordRead(reading, () => []);
    await expect(trail.settleReads()).rejects.toThrow('audit_record');
    await database.query('ALTER TABLE audit_record_away RENAME TO audit_record');
    await trail.settleReads();
    expect(await stored()).toEqual(['settings update', 'groups detail']);
  });
});
