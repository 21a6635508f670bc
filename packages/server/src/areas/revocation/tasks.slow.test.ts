// Leases of duties: held while the work continues, free soon after their node is gone.
import { Database } from '../../platform/database/database.ts';
import { testDatabaseWithConnection, type TestDatabase } from '@signetry/testkit/database';
import { startDatabaseProxy } from '@signetry/testkit/database-proxy';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { performTask, type RevocationTask } from './tasks.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await testDatabaseWithConnection();
});

const request = (duty: RevocationTask, waitMs: number) => ({ duty, nodeId: newUuid(), evenIfPaused: false, waitMs });
const done = async () => ({ outcome: 'done' }) as const;

async function createTask(): Promise<RevocationTask> {
  const authorityUuid = newUuid();
  await own.database.query(
    `INSERT INTO authority (uuid, name, connector_name, connector_authority_uuid, kind, status, created_at, updated_at)
     VALUES ($1::uuid, $1::text, 'none', $1::text, 'none', 'connected', now(), now())`,
    [authorityUuid],
  );
  return { authorityUuid, name: 'full' };
}

/** Simulates a node that works until it is stopped. */
function startWork(database: Database, duty: RevocationTask) {
  const began = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  const ended = performTask(database.executor, request(duty, 0), async () => {
    began.resolve();
    await ends.promise;
    return { outcome: 'done' };
  });
  ended.catch(began.reject); // Also reported to callers that await its end.
  return { began: began.promise, end: ends.resolve, ended };
}

it('a lease is held as long as the work continues', { timeout: 40_000 }, async () => {
  const duty = await createTask();
  const work = startWork(own.database, duty);
  await work.began;
  expect(await performTask(own.database.executor, request(duty, 11_000), done)).toMatchObject({ outcome: 'busy' });
  work.end();
  expect(await work.ended).toEqual({ outcome: 'done' });
  expect(await performTask(own.database.executor, request(duty, 0), done)).toEqual({ outcome: 'done' });
});

it(
  'a lease becomes free within ten seconds after its node has lost the database connection',
  { timeout: 60_000 },
  async () => {
    const proxy = await startDatabaseProxy(own.connection);
    const lost = new Database({ connection: proxy.connection, onError: () => undefined });
    const duty = await createTask();
    const work = startWork(lost, duty);
    await work.began;
    onTestFinished(async () => {
      work.end();
      await work.ended.catch(() => undefined);
      await lost.close();
      await proxy.close();
    });

    proxy.silenceAll();

    // The remaining seconds are a margin for busy machines.
    expect(await performTask(own.database.executor, request(duty, 14_000), done)).toEqual({ outcome: 'done' });
  },
);
