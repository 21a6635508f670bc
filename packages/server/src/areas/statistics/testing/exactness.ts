// An inventory whose counters are compared with its rows, and shared code of the tests that use it.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { ObjectFilter } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createTestInventory, type TestInventory } from '../../inventory/testing/test-inventory.ts';
import { replaceMemberships } from '../../groups/store.ts';
import { expiryBounds } from '../expiry-buckets.ts';
import { createFolder } from '../index.ts';
import { presentStatistics } from '../present.ts';
import { countAll } from '../store.ts';
import { findCountMismatches, hasDeltas } from '../store-upkeep.ts';
import { everyObject, recount } from './recount.ts';

export interface OpenTransaction {
  readonly tx: Executor;
  commit(): Promise<void>;
}

interface CertificateFacts {
  readonly groups?: readonly string[];
  readonly notAfter?: Date;
}

export type CountedInventory = Awaited<ReturnType<typeof createCountedInventory>>;

const everyObjectListed = {
  groups: everyObject,
  raProfiles: everyObject,
  authorities: everyObject,
  connectors: everyObject,
  credentials: everyObject,
};

const everything = { certificates: true, groups: true, raProfiles: true };

export async function createCountedInventory(test?: TestInventory) {
  const inventory = test ?? (await createTestInventory());
  const { platform, clock } = inventory;
  const { database } = platform;
  const { foldBatch } = createFolder(platform);

  /**
   * Checks the dashboard of callers who can list the certificates of these RA profiles, with and without the archive.
   */
  async function expectCounts(
    snapshot: Executor,
    { what, raProfiles }: { readonly what: string; readonly raProfiles: ObjectFilter },
  ): Promise<void> {
    for (const includeArchived of [false, true]) {
      const now = clock.now();
      const query = { includeArchived, raProfiles };
      const counts = await countAll(snapshot, { ...query, bounds: expiryBounds(now), listed: everyObjectListed });
      expect(presentStatistics(counts, everything), what).toEqual(await recount(snapshot, { ...query, now }));
    }
  }

  return {
    inventory,
    database,
    foldBatch,
    hasDeltas: () => hasDeltas(database.executor),
    async foldAll(): Promise<void> {
      while (await foldBatch());
    },

    /** Compares both ways of counting in one snapshot, unaffected by concurrent changes. */
    expectExact: (what: string): Promise<void> =>
      database.executor
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (snapshot) => {
          await expectCounts(snapshot, { what, raProfiles: everyObject });
          expect(await findCountMismatches(snapshot), what).toEqual([]);
        }),

    /**
     * Does the same for callers who can list the certificates of one RA profile, and for callers who can list all
     * others.
     */
    expectExactForSome: (what: string): Promise<void> =>
      database.executor
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (snapshot) => {
          const { rows } = await sql<{ uuid: string }>`
            SELECT ra_profile_uuid AS uuid FROM certificate WHERE ra_profile_uuid IS NOT NULL ORDER BY uuid LIMIT 1`.execute(
            snapshot,
          );
          const some = new Set(rows.map(({ uuid }) => uuid));
          await expectCounts(snapshot, { what: `${what}, one RA profile`, raProfiles: { kind: 'only', uuids: some } });
          await expectCounts(snapshot, { what: `${what}, all but one`, raProfiles: { kind: 'all', except: some } });
        }),

    newGroup: () => newGroup(database),
    /** Creates an issued certificate in these groups. */
    newCertificate: (facts: CertificateFacts = {}) => newCertificate(database, facts),
    openTransaction: () => openTransaction(database),

    /** Waits until a statement in this database is blocked by a lock. */
    async untilSomebodyWaits(): Promise<void> {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await database.query(waiting)).length === 0);
    },
  };
}

async function newGroup(database: Database): Promise<string> {
  const uuid = newUuid();
  await database.query('INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())', [
    uuid,
    `group ${uuid}`,
  ]);
  return uuid;
}

async function newCertificate(database: Database, facts: CertificateFacts): Promise<string> {
  const uuid = newUuid();
  await database.query(
    `INSERT INTO certificate (uuid, state, common_name, subject_dn, subject_dn_normalized, public_key_algorithm, public_key_fingerprint, key_size, not_after, created_at, updated_at)
     VALUES ($1, 'issued', 'counted.test', '', '', 'ECDSA', '', 256, $2, now(), now())`,
    [uuid, facts.notAfter ?? null],
  );
  await replaceMemberships(database.executor, { resource: 'certificates', uuid }, facts.groups ?? []);
  return uuid;
}

async function openTransaction(database: Database): Promise<OpenTransaction> {
  const begun = Promise.withResolvers<Executor>();
  const done = Promise.withResolvers<void>();
  const ended = database.transaction(async (tx) => {
    begun.resolve(tx);
    await done.promise;
  });
  const tx = await begun.promise;
  return {
    tx,
    commit: async () => {
      done.resolve();
      await ended;
    },
  };
}
