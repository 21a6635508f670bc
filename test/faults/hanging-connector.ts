// A connector hangs while the platform is killed. Operations of the built-in authority must be settled as usual, those
// of the connector must stay pending, and a shutdown must not wait for it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@signetry/client';
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import type { Database } from '@signetry/server/database';
import { HOSTILE_KIND, startHostileAuthority, type HostileAuthority } from '../e2e/testing/hostile-authority.ts';
import { startServerProcess, type ServerProcess } from '../load/server-process.ts';
import { checkDatabase, type Violation } from './check-database.ts';
import { Evidence } from './evidence.ts';
import { openDatabase, type KillResult } from './kill-rounds.ts';
import { connect, findProfile, newRequest, runLoad, type Profile } from './load.ts';

/** More than the reconciler's concurrency, and more than its former batch size. */
const HANGING = 60;
/** Half the permitted time; it includes a restart and its checks. */
const SETTLE_TIMEOUT_MS = 30_000;
/** A call to an authority times out after 30 s, and the connector has many pending calls. */
const LONGEST_STOP_MS = 15_000;
const POLL_MS = 100;

export async function hangingConnectorRun(options: { readonly rounds: number }): Promise<KillResult> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-hanging-'));
  const authority = await startHostileAuthority({ features: [IDEMPOTENCY_FEATURE] });
  const evidence = new Evidence();
  const violations: Violation[] = [];
  const args = ['--egress-allowed-hosts=127.0.0.1', '--issue-wait-ms=1000'];
  const start = (environment: Record<string, string> = {}): Promise<ServerProcess> =>
    startServerProcess({ directory, args, environment });
  let kills = 0;

  /** Runs once with a hanging connector, then once with a responding one. */
  async function killAndSettle(point: string, hanging: Profile): Promise<string> {
    authority.onIssue(() => new Promise(() => undefined));
    await killUnderLoad(await start({ SIGNETRY_FAULT_POINT: point }), { hanging, evidence });
    kills += 1;
    const beside = await inspect(directory, { server: await start(), hanging, left: HANGING });
    authority.onIssue(authority.issueProperly);
    const after = await inspect(directory, { server: await start(), hanging, left: 0 });
    violations.push(...beside.violations, ...after.violations);
    return `other operations settled in ${beside.settledMs} ms, stopped in ${beside.stopMs} ms, its own settled in ${after.settledMs} ms`;
  }

  try {
    const first = await start();
    const hanging = await addHostileProfile(connect(first.ready), authority);
    await first.stop();
    for (let round = 1; round <= options.rounds; round += 1) {
      const summary = await killAndSettle(`issue.afterSignature:${20 * round}`, hanging);
      console.log(`hanging ${round}: ${HANGING} operations of a hanging connector, ${summary}`);
    }
    for (const { invariant, what } of violations.slice(0, 10)) console.log(`  ${invariant} ${what}`);
    return { kills, violations, missed: [] };
  } finally {
    await authority.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Inspection {
  readonly settledMs: number;
  readonly stopMs: number;
  readonly violations: readonly Violation[];
}

/** Waits until only operations of the hanging connector are pending, checks the settled ones, and stops the server. */
async function inspect(
  directory: string,
  facts: { readonly server: ServerProcess; readonly hanging: Profile; readonly left: number },
): Promise<Inspection> {
  const { server, hanging, left } = facts;
  const { database, close } = await openDatabase(directory);
  const settled = await waitForOthers(database, { hanging, left });
  // These checks treat pending operations as violations.
  const broken = left === 0 ? await checkDatabase(database) : [];
  await close();
  const started = performance.now();
  await server.stop();
  const stopMs = Math.round(performance.now() - started);
  const slow: Violation[] = stopMs > LONGEST_STOP_MS ? [{ invariant: 'I11', what: `shutdown took ${stopMs} ms` }] : [];
  return { settledMs: settled.ms, stopMs, violations: [...settled.violations, ...broken, ...slow] };
}

/** Creates an RA profile that uses an external connector. */
export async function addHostileProfile(client: Client, { url }: HostileAuthority): Promise<Profile> {
  const connector = await client.connectors.createConnector({ body: { name: 'hanging', url, authType: 'none' } });
  const { uuid: authorityUuid } = await client.authorities.createAuthorityInstance({
    body: { name: 'Hanging CA', connectorUuid: connector.uuid, kind: HOSTILE_KIND, attributes: [] },
  });
  const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
    params: { authorityUuid },
    body: { name: 'hanging', attributes: [], enabled: true },
  });
  return { authorityUuid, raProfileUuid };
}

/**
 * Requests many certificates from the hanging connector, then from the built-in authority, until the platform dies at
 * its fault point.
 */
async function killUnderLoad(
  server: ServerProcess,
  { hanging, evidence }: { readonly hanging: Profile; readonly evidence: Evidence },
): Promise<void> {
  const dead = once(server.child, 'exit');
  const client = connect(server.ready);
  const ask = async (): Promise<void> => {
    const body = { request: await newRequest(), attributes: [] };
    await client.clientOperations.issueCertificate({ params: hanging, body });
  };
  await Promise.all(Array.from({ length: HANGING }, ask));
  const stop = new AbortController();
  const load = runLoad(client, { profile: await findProfile(client), evidence, signal: stop.signal });
  await dead;
  stop.abort();
  await load;
}

async function waitForOthers(
  database: Database,
  { hanging, left }: { readonly hanging: Profile; readonly left: number },
): Promise<{ readonly ms: number; readonly violations: readonly Violation[] }> {
  const started = performance.now();
  for (;;) {
    const [row] = await database.query<{ others: number; own: number }>(
      `SELECT count(*) FILTER (WHERE ra_profile_uuid <> $1) AS others, count(*) FILTER (WHERE ra_profile_uuid = $1) AS own
       FROM certificate_operation WHERE state IN ('pending', 'undecided')`,
      [hanging.raProfileUuid],
    );
    const ms = Math.round(performance.now() - started);
    const { others = 0, own = 0 } = row ?? {};
    const violation = (what: string) => ({ ms, violations: [{ invariant: 'I11' as const, what }] });
    if (own < left) return violation(`only ${own} operations of the hanging connector are pending`);
    if (others === 0 && own === left) return { ms, violations: [] };
    if (ms > SETTLE_TIMEOUT_MS)
      return violation(
        `${others} other operations are pending, and ${own} of a connector that ${left === 0 ? 'recovered' : 'hangs'}`,
      );
    await delay(POLL_MS);
  }
}
