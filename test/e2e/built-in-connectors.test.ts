// Every built-in connector against the connector interface, in-process and over HTTP. New connectors are included
// automatically.
import type { ConformanceReport } from '@signetry/connector-conformance';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInConnectors } from '../../packages/server/src/app/built-in-connectors.ts';
import { checkBuiltIn, lacksOf } from '../../tools/built-in-conformance.ts';

let pool: pg.Pool;

beforeAll(async () => {
  const { connection } = await testDatabaseWithConnection();
  pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined); // Connections are closed with the database.
});
afterAll(() => pool.end());

const unsoundResults = ({ results }: ConformanceReport) =>
  results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notChecked');
const outcomes = ({ results }: ConformanceReport) => results.map(({ check, outcome }) => `${check}: ${outcome}`);

const checked = await Promise.all(
  builtInConnectors.map(async (connector) => {
    const lacks = await lacksOf(connector);
    return { connector, lacks, title: lacks === undefined ? connector.name : `${connector.name} (skipped: ${lacks})` };
  }),
);

describe.each(checked)('the connector $title', ({ connector, lacks }) => {
  it.skipIf(lacks !== undefined)(
    'passes the conformance checks, and behaves the same in-process and over HTTP',
    async () => {
      const { overHttp, inProcess } = await checkBuiltIn(connector, pool);
      expect(unsoundResults(overHttp)).toEqual([]);
      expect(overHttp.counts.passed).toBeGreaterThan(5);
      expect(outcomes(inProcess)).toEqual(outcomes(overHttp));
    },
  );
});
