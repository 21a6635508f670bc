// Lists of a large inventory read about as much as lists of a small one: none reads all certificates to find a few or
// to count many, and none reads all pages before the requested one.
import type { CertificateSearchRequestDto, SearchFilterRequestDto } from '@signetry/contract';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { externalDatabaseArguments } from '@signetry/testkit/external-database';
import { startTestServer } from '@signetry/testkit/platform';
import { explainStatements, type StatementPlan } from '@signetry/testkit/statement-plans';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fillCertificates } from '../load/certificates-in-database.ts';

const SMALL = 10_000;
/** To run it with a million certificates: `TEST_CERTIFICATES=1000000 npm test -- searches-at-scale`. */
const LARGE = Number(process.env['TEST_CERTIFICATES'] ?? 250_000);
const MOST_TIMES = 3;
/**
 * Minimum where a small inventory has almost nothing: a page, the counters of each hour of a month, and some of each
 * day.
 */
const LEAST_ROWS = 800;
const LEAST_BUFFERS = 300;
const CALLS = 3;

type List = CertificateSearchRequestDto;

const PAGE: List = { itemsPerPage: 10, pageNumber: 1 };
const filterBy = (
  fieldIdentifier: string,
  condition: SearchFilterRequestDto['condition'],
  value: string | string[],
): List => ({ ...PAGE, filters: [{ fieldSource: 'property', fieldIdentifier, condition, value }] });

/** The query, and a different one for the small inventory if necessary. */
const lists: Readonly<Record<string, { readonly asked: List; readonly ofSmall?: List }>> = {
  'a part of a serial number': { asked: filterBy('SERIAL_NUMBER', 'CONTAINS', 'abcdef') },
  'a page deep in the list': { asked: { ...PAGE, pageNumber: 10_000 }, ofSmall: PAGE },
  'a group': { asked: filterBy('GROUP_NAME', 'EQUALS', ['group 7']) },
  'what ends within 30 days': { asked: filterBy('NOT_AFTER', 'IN_NEXT', 'P30D') },
};

it('a search reads at most three times as much as in a small inventory', { timeout: 1_800_000 }, async () => {
  const small = await startMeasured(SMALL);
  const large = await startMeasured(LARGE);
  const found: (ReadCost & { readonly name: string; readonly ofSmall: ReadCost })[] = [];
  for (const [name, { asked, ofSmall = asked }] of Object.entries(lists))
    found.push({ name, ...(await large(asked)), ofSmall: await small(ofSmall) });
  const isTooMuch = ({ rows, buffers, ofSmall }: (typeof found)[number]): boolean =>
    rows > MOST_TIMES * Math.max(ofSmall.rows, LEAST_ROWS) ||
    buffers > MOST_TIMES * Math.max(ofSmall.buffers, LEAST_BUFFERS);
  expect(found.filter(isTooMuch)).toEqual([]);
});

interface ReadCost {
  readonly rows: number;
  readonly buffers: number;
  readonly worst: string;
}

/** Starts a platform with this many certificates; returns a function that measures what a list query reads there. */
async function startMeasured(certificates: number): Promise<(list: List) => Promise<ReadCost>> {
  const { database, connection } = await testDatabaseWithConnection();
  await fillCertificates(database, certificates);
  await database.query('VACUUM ANALYZE certificate, certificate_text, group_membership');
  const explained = await explainStatements(connection);
  onTestFinished(() => explained.close());
  const { client } = await startTestServer({ args: externalDatabaseArguments(explained.connection) });
  await vi.waitFor(
    async () => expect(await database.query(IS_READY)).toEqual([{ made: true, counted: true, placed: true }]),
    { timeout: 600_000, interval: 500 },
  );
  // Removes dead rows left by the counter updates, as the server does within a minute.
  await database.query(`VACUUM ${KEPT_UP}`);
  return async (list) => {
    const runs: ReadCost[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      explained.take();
      await client.certificates.listCertificates({ body: list });
      runs.push(readCostOf(explained.take()));
    }
    // Background work may interfere.
    return runs.toSorted((a, b) => a.buffers - b.buffers)[0] ?? expect.fail('nothing was measured');
  };
}

/** Counters, blocks, and pending additions to them. */
const KEPT_UP =
  'certificate_count, certificate_expiry_hour, certificate_block, certificate_count_delta, certificate_group_delta, certificate_block_delta';

/** Whether indexes and counts are as on a platform that has been running with this inventory. */
const IS_READY = `
  SELECT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('certificate_serial_trigrams') AND indisvalid) AS made,
    NOT EXISTS (SELECT FROM certificate_count_delta) AND NOT EXISTS (SELECT FROM certificate_group_delta) AS counted,
    NOT EXISTS (SELECT FROM certificate_block_delta) AS placed`;

function readCostOf(plans: readonly StatementPlan[]): ReadCost {
  const sum = (of: (plan: StatementPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const [worst] = plans.toSorted((a, b) => b.buffers - a.buffers);
  return {
    rows: sum(({ rowsRead }) => rowsRead),
    buffers: sum(({ buffers }) => buffers),
    worst: worst ? `${worst.plan}: ${worst.text.slice(0, 200)}` : '',
  };
}
