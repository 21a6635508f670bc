import { testDatabase } from '@signetry/testkit/database';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import { isFreeFor, isUnleased, leaseTo, releaseLease, renewLease } from './leases.ts';

const TABLE = 'leased_work';
const OPEN = sql<boolean>`NOT done`;
const [node, other] = [newUuid(), newUuid()];

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await database.query(
    `CREATE TABLE ${TABLE} (uuid uuid PRIMARY KEY, leased_by uuid, leased_until timestamptz, done boolean DEFAULT false)`,
  );
});

async function add(): Promise<string> {
  const uuid = newUuid();
  await database.query(`INSERT INTO ${TABLE} (uuid) VALUES ($1)`, [uuid]);
  return uuid;
}

/** Returns true if the node now holds the lease. */
async function take(uuid: string, nodeId: string, leaseS = 60): Promise<boolean> {
  const { rows } = await sql`UPDATE ${sql.table(TABLE)} SET ${leaseTo({ nodeId, leaseS })}
    WHERE uuid = ${uuid}::uuid AND ${isFreeFor(nodeId)} RETURNING uuid`.execute(database.executor);
  return rows.length > 0;
}

const renew = (uuid: string, nodeId: string) =>
  renewLease(database.executor, { table: TABLE, uuid, open: OPEN }, { nodeId, leaseS: 60 });

async function isUnheld(uuid: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM ${sql.table(TABLE)} AS w
    WHERE w.uuid = ${uuid}::uuid AND ${isUnleased('w.leased_until')}`.execute(database.executor);
  return rows.length > 0;
}

describe('a lease', () => {
  it('belongs to only one node, which can acquire it again', async () => {
    const uuid = await add();
    expect(await isUnheld(uuid)).toBe(true);
    expect([await take(uuid, node), await take(uuid, other), await take(uuid, node)]).toEqual([true, false, true]);
    expect(await isUnheld(uuid)).toBe(false);
  });

  it('can be taken over after it expires, and can then no longer be renewed', async () => {
    const uuid = await add();
    await take(uuid, node, -1);
    expect(await take(uuid, other)).toBe(true);
    expect([await renew(uuid, node), await renew(uuid, other)]).toEqual([false, true]);
  });

  it('is not renewed after the work is done', async () => {
    const uuid = await add();
    await take(uuid, node);
    await database.query(`UPDATE ${TABLE} SET done = true WHERE uuid = $1`, [uuid]);
    expect(await renew(uuid, node)).toBe(false);
  });

  it('can be released only by the node that holds it', async () => {
    const uuid = await add();
    await take(uuid, node);
    await releaseLease(database.executor, { table: TABLE, uuid }, { nodeId: other });
    expect(await isUnheld(uuid)).toBe(false);
    await releaseLease(database.executor, { table: TABLE, uuid }, { nodeId: node });
    expect(await isUnheld(uuid)).toBe(true);
  });
});
