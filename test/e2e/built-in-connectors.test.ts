// Every built-in connector against the connector interface, in-process and over HTTP. New connectors are included
// automatically.
import type { ConformanceReport } from '@signetry/connector-conformance';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInConnectors } from '../../packages/server/src/app/built-in-connectors.ts';
import { checkBuiltIn, lacksOf, type BodyChange } from '../../tools/built-in-conformance.ts';

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

/** Replaces members at any depth; `undefined` removes them. */
const replaceMembers = (value: unknown, replace: (name: string, member: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceMembers(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, replace(name, replaceMembers(member, replace))]);
  return Object.fromEntries(members) as unknown;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Bodies as platforms in other languages serialize them. */
const bodyChanges: Readonly<Record<string, BodyChange>> = {
  'meta: null': (body) =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { meta: null, ...body } : body,
  'no empty raProfileAttributes': (body) =>
    replaceMembers(body, (name, member) =>
      name === 'raProfileAttributes' && isEmptyList(member) ? undefined : member,
    ),
  'null for an empty list': (body) => replaceMembers(body, (_name, member) => (isEmptyList(member) ? null : member)),
  'fileName: null': (body) => replaceMembers(body, (name, member) => (name === 'fileName' ? null : member)),
};
const allChanges: BodyChange = (body) => Object.values(bodyChanges).reduce((changed, change) => change(changed), body);

describe.each(checked)('the connector $title', ({ connector, lacks }) => {
  it.skipIf(lacks !== undefined)(
    'passes the conformance checks, and behaves the same in-process, over HTTP, and with bodies of other platforms',
    async () => {
      const { overHttp, inProcess, changed } = await checkBuiltIn(connector, pool, allChanges);
      expect(unsoundResults(overHttp)).toEqual([]);
      expect(overHttp.counts.passed).toBeGreaterThan(5);
      expect(outcomes(inProcess)).toEqual(outcomes(overHttp));
      expect(changed && unsoundResults(changed)).toEqual([]);
      expect(changed && outcomes(changed)).toEqual(outcomes(overHttp));
    },
  );
});
