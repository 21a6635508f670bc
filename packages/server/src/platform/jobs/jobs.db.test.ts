import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { expect, it } from 'vitest';

it('deletes schedules from an earlier version that the current version does not declare', async () => {
  const database = await testDatabase();
  const handle = async () => undefined;
  const version = async (queues: readonly string[]): Promise<readonly string[]> => {
    const { jobs } = testPlatform(database);
    for (const name of queues) jobs.declare({ name, schedule: '7 * * * *', handle });
    await jobs.start();
    await jobs.stop();
    return (await database.query<{ name: string }>('SELECT name FROM job.schedule ORDER BY name')).map(
      ({ name }) => name,
    );
  };
  expect(await version(['kept', 'old'])).toEqual(['kept', 'old']);
  expect(await version(['kept', 'new'])).toEqual(['kept', 'new']);
});
