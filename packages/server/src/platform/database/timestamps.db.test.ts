import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { timestampText } from './timestamps.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});

describe('an instant formatted as text', () => {
  it.each([
    '0000-01-01T00:00:00.000Z',
    '-000043-03-15T12:30:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.000Z',
  ])('is parsed as the same instant by the database: %s', async (iso) => {
    const rows = await database.query<{ at: Date }>(
      'SELECT at FROM jsonb_to_recordset($1::jsonb) AS given (at timestamptz)',
      [JSON.stringify([{ at: timestampText(new Date(iso)) }])],
    );
    expect(rows[0]?.at.toISOString()).toBe(iso);
  });
});
