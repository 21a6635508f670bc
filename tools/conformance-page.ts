// What the conformance check finds at each built-in connector. They are really run.
import type { CheckResult } from '@signetry/connector-conformance';
import { openSocketDirectory } from '@signetry/server';
import pg from 'pg';
import { builtInConnectors } from '../packages/server/src/app/built-in-connectors.ts';
import { startTestCluster } from '../packages/testkit/src/test-cluster.ts';
import { checkBuiltIn } from './built-in-conformance.ts';
import { page, table } from './page-text.ts';

export async function conformancePage(): Promise<string> {
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const pool = new pg.Pool({ host: socket.path, port, user, password, database: 'signetry_template', max: 4 });
  pool.on('error', () => undefined); // connections end with the cluster
  try {
    const sections: string[] = [];
    for (const connector of builtInConnectors) {
      const { overHttp } = await checkBuiltIn(connector, pool);
      sections.push(`## ${connector.name}\n\n${table(TITLES, overHttp.results.map(rowOf))}`);
    }
    return page('Conformance of built-in connectors', INTRO, sections.join('\n\n'));
  } finally {
    await pool.end();
    socket.close();
    await cluster.stop();
  }
}

const INTRO =
  'Every check of `signetry connector check` at each connector that comes with the platform, as it was found over HTTP; a test finds the same within a process. The guide `docs/guide/write-a-connector.md` says how to check a connector of your own.';

const TITLES = ['Function group', 'Kind', 'The connector', 'Outcome'];

const OUTCOMES = { passed: 'passed', failed: 'FAILED', notOffered: 'not offered', notChecked: 'not checked' } as const;

const rowOf = ({ group, kind, check, outcome, problem }: CheckResult): string[] => [
  group ?? '',
  kind ?? '',
  check,
  problem === undefined ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}: ${problem}`,
];
