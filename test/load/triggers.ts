// Triggers and discoveries: each event for a new certificate is evaluated against twenty triggers, none of which
// matches. Measured from the outbox to the history that users see.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import type { ConditionItemDto } from '@signetry/contract';
import { startServer, type RunningServer } from '@signetry/server';
import type { Database } from '@signetry/server/database';
import type { Platform } from '@signetry/server/services';
import { followEvents } from '../../packages/server/src/areas/workflows/engine/follow.ts';
import { createTriggerSets } from '../../packages/server/src/areas/workflows/engine/trigger-sets.ts';
import type { FollowerFacts } from '../../packages/server/src/platform/events/followers.ts';
import { readLog } from '../../packages/server/src/platform/events/store.ts';
import { fillCertificates } from './certificates-in-database.ts';
import { inDatabaseOf } from './database-of-server.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';
import { cpuSeconds, cpuSecondsByProgram, startServerProcess } from './server-process.ts';

const TRIGGERS = 20;
const WARM = 2_000;
/** Batch size of a log follower. */
const BATCH = 500;
const LOOK_MS = 5;
/** A group of the generated certificates. */
const FILLED_GROUP = '00000000-0000-0000-0001-000000000001';

export async function benchTriggers(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 10_000);
  const core = Number(options.get('core') ?? 0);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  try {
    return {
      name: `${certificates.toLocaleString('en')} discovered certificates, ${TRIGGERS} triggers of three conditions each`,
      figures: [...(await follow(directory, { certificates, core })), ...(await evaluate(directory, certificates))],
      notes: [
        `Followed: the platform appends the events to the log, evaluates the triggers and stores the history; platform and database on core ${core}.`,
        `Evaluated: one transaction for ${BATCH} events in a separate process, including its commit: reading the values, comparing them, writing the history.`,
        'All triggers compare three fields of each certificate; none of them matches.',
      ],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Size {
  readonly certificates: number;
  readonly core: number;
}

async function follow(directory: string, { certificates, core }: Size): Promise<Figure[]> {
  const server = await startServerProcess({ directory, core });
  try {
    return await inDatabaseOf(directory, async (database) => {
      await fillCertificates(database, certificates);
      await makeTriggers(createClient({ baseUrl: server.ready.api, token: server.ready.token }));
      await database.query('VACUUM (ANALYZE)');
      await raise(database, Math.min(WARM, certificates)); // Warms up code and query plans.
      const { pid } = server.ready;
      const before = { all: cpuSeconds(pid), database: cpuSecondsByProgram(pid, 'postgres') };
      const seconds = await raise(database, certificates);
      const ofDatabase = cpuSecondsByProgram(pid, 'postgres') - before.database;
      await assertCompared(database);
      const spent = cpuSeconds(pid) - before.all;
      const each = (cpu: number): number => (cpu * 1_000) / certificates;
      return [
        {
          name: 'certificates per second, with their history',
          value: certificates / seconds,
          unit: '/s',
          goal: '>= 2,000',
        },
        { name: 'certificates per CPU-second', value: certificates / spent, unit: '/s' },
        { name: 'CPU time per certificate, platform', value: each(spent - ofDatabase), unit: 'ms' },
        { name: 'CPU time per certificate, database', value: each(ofDatabase), unit: 'ms' },
      ];
    });
  } finally {
    await server.stop();
  }
}

/** Asserts that for every trigger and certificate, the third condition is the first that does not match. */
async function assertCompared(database: Database): Promise<void> {
  const [other] = await database.query('SELECT FROM workflow_evaluation WHERE outcomes <> $1 LIMIT 1', [
    Array.from({ length: TRIGGERS }, () => 3),
  ]);
  if (other) throw new Error('The triggers did not evaluate all conditions.');
}

/**
 * Raises events as a discovery does, in one transaction. Returns the seconds from the first event in the log to the
 * last evaluation.
 */
async function raise(database: Database, count: number): Promise<number> {
  const [{ head: before = 0, kept = 0 } = {}] = await state(database);
  await database.query(RAISE, [count]);
  let beganMs = performance.now();
  for (;;) {
    const [now] = await state(database);
    if (Number(now?.head) === Number(before)) beganMs = performance.now();
    if (now?.waiting === 0 && Number(now.kept) === Number(kept) + count) return (performance.now() - beganMs) / 1_000;
    await delay(LOOK_MS);
  }
}

const state = (database: Database) =>
  database.query<{ head: string; waiting: number; kept: string }>(
    `SELECT h.position AS head, (h.position - f.position)::int AS waiting, (SELECT count(*) FROM workflow_evaluation) AS kept
     FROM event_log_head h, event_follower f WHERE f.name = 'workflows'`,
  );

const RAISE = `
  INSERT INTO event_outbox (event, payload)
  SELECT 'certificate_discovered', jsonb_build_object('discoveryUuid', '00000000-0000-0000-0009-000000000001',
    'discoveryName', 'nightly', 'discoveryUserUuid', NULL, 'discoveryConnectorUuid', NULL, 'discoveryConnectorName', 'scan',
    'certificateUuid', uuid, 'discoveryCertificateUuid', gen_random_uuid(), 'fingerprint', fingerprint,
    'serialNumber', serial_number, 'subjectDn', subject_dn, 'issuerDn', issuer_dn, 'notBefore', not_before,
    'expiresAt', not_after)
  FROM certificate WHERE state IN ('issued', 'revoked', 'failed') ORDER BY uuid LIMIT $1`;

/** The first two conditions match all certificates, the last matches none. */
const conditionsOf = (number: number): ConditionItemDto[] => [
  { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'ENDS_WITH', value: '.example' },
  { fieldSource: 'property', fieldIdentifier: 'KEY_SIZE', operator: 'NOT_EQUALS', value: [String(1_000 + number)] },
  lastOf(number),
];

function lastOf(number: number): ConditionItemDto {
  const property = (fieldIdentifier: string, operator: ConditionItemDto['operator'], value: unknown) =>
    ({ fieldSource: 'property', fieldIdentifier, operator, value }) as const;
  switch (number % 5) {
    case 0:
      return property('COMMON_NAME', 'MATCHES', `^nobody-${number}[.]`);
    case 1:
      return property('ISSUER_COMMON_NAME', 'EQUALS', `Issuing CA of nobody ${number}`);
    case 2:
      return property('SUBJECT_ALTERNATIVE_NAMES', 'ENDS_WITH', `.nobody-${number}.test`);
    case 3:
      return property('GROUP_NAME', 'EQUALS', [`group of nobody ${number}`]);
    default:
      return { ...property('costCenter|STRING', 'EQUALS', `nobody ${number}`), fieldSource: 'custom' };
  }
}

async function makeTriggers(client: Client): Promise<void> {
  const of = { resource: 'certificates' } as const;
  const { uuid: execution } = await client.workflowActions.createExecution({
    body: {
      ...of,
      name: 'bench',
      type: 'setField',
      items: [{ fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: [FILLED_GROUP] }],
    },
  });
  const { uuid: action } = await client.workflowActions.createAction({
    body: { ...of, name: 'bench', executionsUuids: [execution] },
  });
  const triggerUuids: string[] = [];
  for (let number = 0; number < TRIGGERS; number += 1) {
    const name = `bench ${number}`;
    const { uuid: condition } = await client.workflowRules.createCondition({
      body: { ...of, name, type: 'checkField', items: conditionsOf(number) },
    });
    const { uuid: rule } = await client.workflowRules.createRule({
      body: { ...of, name, conditionsUuids: [condition] },
    });
    const { uuid } = await client.workflowTriggers.createTrigger({
      body: {
        ...of,
        name,
        type: 'event',
        event: 'certificate_discovered',
        ignoreTrigger: false,
        rulesUuids: [rule],
        actionsUuids: [action],
      },
    });
    triggerUuids.push(uuid);
  }
  await client.eventSettings.updateEventSettings({ body: { event: 'certificate_discovered', triggerUuids } });
}

/** Repeats the evaluation in this process, starting from the log. */
async function evaluate(directory: string, certificates: number): Promise<Figure[]> {
  const server = await startServer({
    environment: {},
    out: () => undefined,
    withoutConsole: true,
    args: [`--data=${directory}`, '--http=127.0.0.1:0', '--https=off', '--log-level=silent'],
  });
  try {
    const handle = followerOf(server);
    const events = await readLog(server.platform.database.executor, { after: WARM, limit: certificates });
    const times: number[] = [];
    let ofDatabase = 0;
    for (let at = 0; at < events.length; at += BATCH) {
      const before = { own: process.cpuUsage(), database: cpuSecondsByProgram(process.pid, 'postgres') };
      await server.platform.database.transaction((tx) => handle(tx, events.slice(at, at + BATCH)));
      const { user, system } = process.cpuUsage(before.own);
      times.push((user + system) / 1_000 / Math.min(BATCH, events.length - at));
      ofDatabase += cpuSecondsByProgram(process.pid, 'postgres') - before.database;
    }
    const database = (ofDatabase * 1_000) / events.length;
    return [
      {
        name: 'evaluated: CPU time per certificate, median',
        value: median(times) + database,
        unit: 'ms',
        goal: '<= 0.3',
      },
      { name: 'evaluated: share of the platform', value: median(times), unit: 'ms' },
      { name: 'evaluated: share of the database, mean', value: database, unit: 'ms' },
    ];
  } finally {
    await server.stop();
  }
}

function followerOf({ platform, areas }: RunningServer): FollowerFacts['handle'] {
  const followers: FollowerFacts[] = [];
  const { inventory } = areas;
  const subject = {
    resource: 'certificates',
    evaluated: inventory.checked.evaluated,
    settable: {},
    findShown: inventory.checked.findShown,
    findChosen: inventory.checked.findChosen,
  } as const;
  const asking = { ...platform, events: { follow: (follower: FollowerFacts) => followers.push(follower) } };
  followEvents(asking as unknown as Platform, {
    sets: createTriggerSets(),
    subjects: { find: () => subject, require: () => subject },
    wake: () => undefined,
  });
  return followers[0]?.handle ?? (() => Promise.reject(new Error('no follower')));
}
