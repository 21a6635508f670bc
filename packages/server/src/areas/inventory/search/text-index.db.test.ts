import { createLogger } from '@signetry/server/services';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createTextIndexes, cleanTextIndexes } from './store-text-index.ts';
import { createTextIndex } from './text-index.ts';

let database: Database;
const { signal } = new AbortController();

beforeAll(async () => {
  database = await testDatabase();
});

const isValid = async (): Promise<boolean | undefined> => {
  const [row] = await database.query<{ indisvalid: boolean }>(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('certificate_text_trigrams')`,
  );
  return row?.indisvalid;
};

describe('the text index', () => {
  it('is left to the node that is already building it', async () => {
    const other = await database.connect();
    await other.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.textIndex]);
    expect(await createTextIndexes(database, signal)).toBe('not now');
    await other.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.textIndex]);
    other.release();
    expect(await isValid()).toBeUndefined();
  });

  it('remains incomplete if the platform stops while building it', async () => {
    const writer = await database.connect();
    await writer.query('BEGIN');
    await writer.query('LOCK TABLE certificate_text IN ROW EXCLUSIVE MODE');
    const index = createTextIndex({ database, log: createLogger({ level: 'silent' }) });
    index.start();
    await vi.waitFor(async () => expect(await isValid()).toBe(false), { timeout: 10_000, interval: 20 });
    await index.stop();
    await writer.query('ROLLBACK');
    writer.release();
    expect(await isValid()).toBe(false);
  });

  it('is built once if the extension is available, and is rebuilt if building was interrupted', async () => {
    expect(await createTextIndexes(database, signal)).toBe('made');
    expect(await isValid()).toBe(true);
    expect(await createTextIndexes(database, signal)).toBe('there');
    await cleanTextIndexes(database.executor);
  });
});
