// A connector signs certificates but then reports a failure or closes the connection, while the platform is killed. The
// platform must not repeat the request, every certificate stays undecided, and its upload settles it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@signetry/server/database';
import { startHostileAuthority, type HostileAuthority, type IssueResponse } from '../e2e/testing/hostile-authority.ts';
import { startServerProcess } from '../load/server-process.ts';
import { checkDatabase, type Violation } from './check-database.ts';
import { addHostileProfile } from './hanging-connector.ts';
import { openDatabase, type KillResult } from './kill-rounds.ts';
import { connect, newRequest, type Profile } from './load.ts';

const CERTIFICATES = 12;
const LIES: readonly IssueResponse[] = [
  { status: 500, text: '{"message":"internal error"}' },
  { status: 503, text: '{"message":"try again later"}' },
  'reset',
];

/** Certificates that the authority signed but never returned. */
function signAndDeny({ authority, onIssue }: HostileAuthority): readonly Uint8Array[] {
  const signed: Uint8Array[] = [];
  onIssue((asked) => {
    const answer = LIES[signed.length % LIES.length] ?? 'reset';
    signed.push(authority.issue(asked));
    return answer;
  });
  return signed;
}

export async function reportedFailureRun(): Promise<KillResult> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-reported-'));
  const hostile = await startHostileAuthority();
  const signed = signAndDeny(hostile);
  const args = ['--egress-allowed-hosts=127.0.0.1', '--issue-wait-ms=2000'];
  const violations: Violation[] = [];
  try {
    const first = await startServerProcess({ directory, args });
    const profile = await addHostileProfile(connect(first.ready), hostile);
    const asking = Array.from({ length: CERTIFICATES }, async () => {
      const body = { request: await newRequest(), attributes: [] };
      // Some callers get an error, and none gets a certificate.
      await connect(first.ready)
        .clientOperations.issueCertificate({ params: profile, body })
        .catch(() => undefined);
    });
    await Promise.all(asking);
    const dead = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await dead;

    const second = await startServerProcess({ directory, args });
    const { database, close } = await openDatabase(directory);
    violations.push(...(await checkStates(database, { profile, state: 'pending_issue', signed })));
    for (const der of signed) {
      const certificate = Buffer.from(der).toString('base64');
      await connect(second.ready).certificates.uploadCertificate({ body: { certificate, customAttributes: [] } });
    }
    violations.push(
      ...(await checkStates(database, { profile, state: 'issued', signed })),
      ...(await checkDatabase(database)),
    );
    await close();
    await second.stop();
    console.log(`reported failures: ${CERTIFICATES} signed but reported as failed, ${violations.length} violations`);
    for (const { invariant, what } of violations.slice(0, 10)) console.log(`  ${invariant} ${what}`);
    return { kills: 1, violations, missed: [] };
  } finally {
    await hostile.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns violations unless every certificate was requested once and has this state. */
async function checkStates(
  database: Database,
  facts: { readonly profile: Profile; readonly state: string; readonly signed: readonly Uint8Array[] },
): Promise<Violation[]> {
  const { profile, state, signed } = facts;
  const states = await database.query<{ state: string; count: number }>(
    'SELECT state, count(*)::integer AS count FROM certificate WHERE ra_profile_uuid = $1 GROUP BY state',
    [profile.raProfileUuid],
  );
  const told = states.map((row) => `${row.count} ${row.state}`).join(', ');
  return [
    ...(told === `${CERTIFICATES} ${state}` ? [] : [{ invariant: 'I1' as const, what: `not all ${state}: ${told}` }]),
    ...(signed.length === CERTIFICATES
      ? []
      : [{ invariant: 'I3' as const, what: `the authority received ${signed.length} requests` }]),
  ];
}
