// Database faults while certificates are issued: cut connections, refused connections and missing responses. Requests
// must get responses, the platform must recover within seconds, and no acknowledged effect may be lost.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, openSocketDirectory, type ConnectionFacts } from '@signetry/server/database';
import { startDatabaseProxy, type DatabaseProxy } from '../../../packages/testkit/src/database-proxy.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../../packages/testkit/src/test-cluster.ts';
import { startServerProcess, type ServerProcess } from '../../load/server-process.ts';
import { checkDatabase, type Violation } from '../check-database.ts';
import { checkInterface } from '../check-interface.ts';
import { Evidence } from '../evidence.ts';
import { waitUntilSettled, type KillResult } from '../kill-rounds.ts';
import { connect, findProfile } from '../load.ts';
import { badResponses, startIssueLoad, waitForReadiness, type IssueLoad } from './issue-load.ts';

/** Load before each fault. */
const WARM_MS = 2_000;
const OUTAGE_MS = 8_000;
/** The guarantee is 10 s; the rest is for busy machines. */
const BACK_WITHIN_MS = 15_000;
/** The guarantee is 5 s after the end of an outage. */
const READY_WITHIN_MS = 7_500;
/** Longest time limit of any request, plus a margin. */
const LONGEST_ANSWER_MS = 30_000;
const OPEN_WORK = `SELECT count(*) AS open FROM certificate_operation WHERE state IN ('pending', 'undecided')`;

export const DATABASE = 'outages';

/** Creates a database outside the node's process, and returns it with the arguments for such a node. */
export async function externalDatabase(directory: string) {
  const cluster = await startTestCluster();
  const { runDirectory, port, user, password, superuser } = cluster.facts;
  const socket = openSocketDirectory(runDirectory);
  const facts: ConnectionFacts = { host: socket.path, port, user, password, database: DATABASE };
  const maintenance = new Database({
    connection: { ...facts, ...superuser, database: 'postgres' },
    onError: () => undefined,
  });
  await maintenance.query(`CREATE DATABASE ${DATABASE} TEMPLATE ${TEMPLATE_DATABASE} OWNER ${user}`);
  await maintenance.close();
  const database = new Database({ connection: facts, onError: () => undefined });
  const proxy = await startDatabaseProxy(facts);
  const keyFile = join(directory, 'sealing.key');
  writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const url = `postgres://${user}:${password}@127.0.0.1:${proxy.connection.port}/${DATABASE}`;
  return {
    database,
    proxy,
    args: [`--database-url=${url}`, `--sealing-key-file=${keyFile}`, '--https=off'],
    async close() {
      await database.close();
      await proxy.close();
      socket.close();
      await cluster.stop();
    },
  };
}

interface Fault {
  readonly name: string;
  readonly begin: (proxy: DatabaseProxy) => void;
  /** Whether the platform cannot work during the fault, and reports this. */
  readonly total: boolean;
}

const FAULTS: readonly Fault[] = [
  { name: 'all connections cut', begin: (proxy) => proxy.cut(), total: false },
  { name: 'connections refused', begin: (proxy) => proxy.refuse(), total: true },
  { name: 'existing connections silent', begin: (proxy) => proxy.silenceConnections(), total: false },
  { name: 'all connections silent', begin: (proxy) => proxy.silenceAll(), total: true },
];

export async function outageRun(): Promise<KillResult> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-outages-'));
  const external = await externalDatabase(directory);
  const evidence = new Evidence();
  const violations: Violation[] = [];
  const server = await startServerProcess({ directory: join(directory, 'node'), args: external.args });
  const load = await startIssueLoad(server, evidence);
  try {
    for (const fault of FAULTS) violations.push(...(await runFault(fault, { server, load, proxy: external.proxy })));
    await load.end();
    violations.push(...(await checkAll(server, external.database, evidence)));
  } finally {
    await load.end();
    await server.stop();
    await external.close();
    rmSync(directory, { recursive: true, force: true });
  }
  return { kills: 0, violations, missed: [] };
}

async function runFault(
  fault: Fault,
  { server, load, proxy }: { readonly server: ServerProcess; readonly load: IssueLoad; readonly proxy: DatabaseProxy },
): Promise<Violation[]> {
  await delay(WARM_MS);
  load.forget();
  const violations: Violation[] = [];
  const violate = (what: string): void =>
    void violations.push({ invariant: 'service', what: `${fault.name}: ${what}` });
  fault.begin(proxy);
  if (fault.total) {
    if (!(await waitForReadiness(server, 503, BACK_WITHIN_MS))) violate('the platform reports that it is ready');
    await delay(OUTAGE_MS);
    proxy.heal();
  }
  const [back, isReady] = await Promise.all([
    load.untilIssued(BACK_WITHIN_MS),
    waitForReadiness(server, 200, fault.total ? READY_WITHIN_MS : BACK_WITHIN_MS),
  ]);
  if (back === undefined) violate(`no certificate issued after ${BACK_WITHIN_MS / 1000} s`);
  if (!isReady) violate('the platform did not become ready again');
  if (load.longestMs() > LONGEST_ANSWER_MS) violate(`a response took ${load.longestMs()} ms`);
  violations.push(...badResponses(load, fault.name));
  const answers = [...load.statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  console.log(
    `outages: ${fault.name}: recovered after ${back} ms, longest response ${load.longestMs()} ms, ${answers}, ${violations.length} violations`,
  );
  for (const { what } of violations) console.log(`  ${what}`);
  return violations;
}

/** Checks that no acknowledged effect is lost and all started work is settled. */
export async function checkAll(server: ServerProcess, database: Database, evidence: Evidence): Promise<Violation[]> {
  const settled = await waitUntilSettled(database, OPEN_WORK);
  const client = connect(server.ready);
  const { authorityUuid } = await findProfile(client);
  const facts = { client, http: server.ready.http, authorityUuid, evidence };
  const found = [...settled.violations, ...(await checkDatabase(database)), ...(await checkInterface(facts))];
  console.log(`  ${evidence.issued.length} issued, settled in ${settled.ms} ms, ${found.length} violations`);
  for (const { invariant, what } of found.slice(0, 10)) console.log(`  ${invariant} ${what}`);
  return found;
}
