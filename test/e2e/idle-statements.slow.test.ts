// Database load of an idle platform with a large inventory: no background statement reads more rows than it changes
// plus a small constant, regardless of the number of certificates.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { startTestServer } from '@signetry/testkit/platform';
import { explainStatements, type StatementPlan } from '@signetry/testkit/statement-plans';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fillCertificates } from '../load/certificates-in-database.ts';

/** `TEST_CERTIFICATES=1000000 npm test -- idle-statements` runs it with a million. */
const CERTIFICATES = Number(process.env['TEST_CERTIFICATES'] ?? 300_000);
/**
 * Rows that a statement may read beyond those it changes: a few index descents, and the system catalog in a new
 * session.
 */
const MOST_ROWS = 100;
const MOST_BUFFERS = 1_000;
/** For each changed row: the row, its indexes and its triggers. */
const ROWS_PER_CHANGE = 4;
const BUFFERS_PER_CHANGE = 60;
/** Job with the longest interval, 30 s. */
const SLOWEST = 'renewal_setting';
/** The job queue queries the state of its own tables. */
const OF_THE_CATALOGUE = /n_live_tup/;
const LIST = join(import.meta.dirname, '../../node_modules/.cache/idle-statements.txt');

/** Every third certificate is in a location that generates keys, and nothing is renewed. */
const FILL_LOCATIONS = `
  WITH server AS (
    INSERT INTO entity (uuid, name, connector_name, connector_entity_uuid, kind, removing, created_at, updated_at)
    VALUES (gen_random_uuid(), 'server', 'none', 'server', 'none', false, now(), now()) RETURNING uuid),
  place AS (
    INSERT INTO location (uuid, name, entity_uuid, attributes_digest, enabled, multiple_entries, key_management, created_at, updated_at)
    SELECT gen_random_uuid(), 'place ' || n, server.uuid, n::text, true, true, true, now(), now() FROM server, generate_series(0, 99) n
    RETURNING uuid, name),
  placed AS (SELECT uuid, row_number() OVER () AS n FROM certificate WHERE state = 'issued' AND NOT archived)
  INSERT INTO location_certificate (location_uuid, certificate_uuid, state, with_key, metadata, requested_by, changed_at)
  SELECT place.uuid, placed.uuid, 'installed', true, '{}', 'somebody', now()
  FROM placed JOIN place ON place.name = 'place ' || placed.n % 100 WHERE placed.n % 3 = 0`;
/** As autovacuum does: empty tables are not analyzed, and the planner estimates their size. */
const FILLED = 'certificate, group_membership, attribute_value, location, location_certificate';

const UNCOUNTED = `(SELECT 1 FROM certificate_count_delta LIMIT 1) UNION ALL (SELECT 1 FROM certificate_group_delta LIMIT 1)
  UNION ALL (SELECT 1 FROM certificate_block_delta LIMIT 1)`;

it(
  'an idle platform reads at most as many rows as it changes, plus a small constant',
  { timeout: 1_800_000 },
  async () => {
    const { database, connection } = await testDatabaseWithConnection();
    await fillCertificates(database, CERTIFICATES);
    await database.query(FILL_LOCATIONS);
    await database.query(`VACUUM ANALYZE ${FILLED}`);
    const explained = await explainStatements(connection);
    onTestFinished(() => explained.close());
    await startTestServer({ args: externalDatabaseArguments(explained.connection) });

    await collectStatements(explained, 1); // Startup is complete.
    // Pending counter updates left by the import are processed in batches; the dead pages are freed by the server
    // within a minute.
    await vi.waitFor(async () => expect(await database.query(UNCOUNTED)).toEqual([]), {
      timeout: 240_000,
      interval: 500,
    });
    await database.query('VACUUM certificate_count_delta, certificate_group_delta, certificate_block_delta');
    const idle = await collectStatements(explained, 2);

    const list = worstOf(idle.filter(({ text }) => !OF_THE_CATALOGUE.test(text)));
    writeFileSync(LIST, list.map(lineOf).join('\n'));
    expect(list.length).toBeGreaterThan(20);
    expect(list.filter(isTooMuch).map(lineOf)).toEqual([]);
  },
);

/** Collects statements from now on, until the slowest job has run `rounds` times. */
async function collectStatements(explained: Awaited<ReturnType<typeof explainStatements>>, rounds: number) {
  explained.take();
  const plans: StatementPlan[] = [];
  await vi.waitFor(
    () => {
      plans.push(...explained.take());
      expect(plans.filter(({ text }) => text.includes(SLOWEST)).length).toBeGreaterThanOrEqual(rounds);
    },
    { timeout: 240_000, interval: 200 },
  );
  return plans;
}

/** Most expensive execution of each statement. */
const worstOf = (plans: readonly StatementPlan[]): readonly StatementPlan[] =>
  [...Map.groupBy(plans, ({ text }) => text).values()]
    .flatMap((runs) => runs.toSorted((a, b) => b.buffers - a.buffers).slice(0, 1))
    .toSorted((a, b) => b.buffers - a.buffers);

const isTooMuch = ({ rowsRead, rowsChanged, buffers }: StatementPlan): boolean =>
  rowsRead > MOST_ROWS + ROWS_PER_CHANGE * rowsChanged || buffers > MOST_BUFFERS + BUFFERS_PER_CHANGE * rowsChanged;

const lineOf = ({ text, rowsRead, rowsChanged, buffers, plan }: StatementPlan): string =>
  `${buffers} buffers, ${rowsRead} rows read, ${rowsChanged} changed: ${text.slice(0, 400)}\n    ${plan}`;
