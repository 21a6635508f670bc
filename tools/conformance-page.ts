// Results of the conformance checks for each built-in connector, from an actual run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from '@signetry/connector-conformance';
import type { Connector } from '@signetry/connector-sdk';
import { openSocketDirectory } from '@signetry/server/database';
import pg from 'pg';
import { builtInConnectors } from '../packages/server/src/app/built-in-connectors.ts';
import { startTestCluster } from '../packages/testkit/src/test-cluster.ts';
import { checkBuiltIn, lacksOf } from './built-in-conformance.ts';
import { page, table } from './page-text.ts';
import { ROOT } from './source-files.ts';

export async function conformancePage(): Promise<string> {
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const pool = new pg.Pool({ host: socket.path, port, user, password, database: 'signetry_template', max: 4 });
  pool.on('error', () => undefined); // Stopping the cluster closes its connections.
  try {
    const sections: string[] = [];
    for (const connector of builtInConnectors) {
      sections.push((await lacksOf(connector)) ? storedSection(connector) : await sectionOf(connector, pool));
    }
    return page('Conformance of built-in connectors', INTRO, sections.join('\n\n'));
  } finally {
    await pool.end();
    socket.close();
    await cluster.stop();
  }
}

async function sectionOf(connector: Connector, pool: pg.Pool): Promise<string> {
  const { overHttp } = await checkBuiltIn(connector, pool);
  return `${headingOf(connector)}\n\n${table(TITLES, overHttp.results.map(rowOf))}`;
}

const headingOf = ({ name }: Connector): string => `## ${name}`;

/** Stored results of a connector that cannot be checked on this machine, from a different machine. */
function storedSection(connector: Connector): string {
  const stored = readFileSync(join(ROOT, 'docs/reference/connector-conformance.md'), 'utf8');
  const [, section = ''] = stored.split(`${headingOf(connector)}\n`);
  return `${headingOf(connector)}\n${section.split('\n## ')[0] ?? ''}`.trimEnd();
}

const INTRO =
  'Results of `signetry connector check` for each built-in connector, over HTTP. A test verifies that the checks have the same results within a process. The guide `docs/guide/write-a-connector.md` describes how to check your own connector.';

const TITLES = ['Function group', 'Kind', 'The connector', 'Result'];

const OUTCOMES = { passed: 'passed', failed: 'FAILED', notOffered: 'not offered', notChecked: 'not checked' } as const;

const rowOf = ({ group, kind, check, outcome, problem }: CheckResult): string[] => [
  group ?? '',
  kind ?? '',
  check,
  problem === undefined ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}: ${problem}`,
];
