// A real kill -9 during issuance: a separate process is killed and its work is checked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { parseCertificate } from '@signetry/pki';
import { beforeAll, expect, inject, it } from 'vitest';
import { AUTHORITY } from '../index.ts';
import {
  createCa,
  issueDer,
  makeCsr,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';
import { newHostedKey, tokenHost, type HostedKey } from '../testing/token-host.ts';

let ours: TestAuthority;
/** Keys in a token of the host. */
const keys: HostedKey[] = [];
let authorities: Readonly<Record<'sealed' | 'token', string>>;
const requests: string[] = [];
beforeAll(async () => {
  const alone = await startTestAuthority();
  ours = await alone.restart({ tokenKeys: tokenHost(keys).tokenKeys });
  const key = await newHostedKey();
  keys.push(key);
  authorities = {
    sealed: await createCa(ours.call, 'Killed'),
    token: await createCa(ours.call, 'Killed with its key in a token', [text(AUTHORITY.tokenKey, key.uuid)]),
  };
  for (let count = 0; count < 8; count += 1) requests.push(await makeCsr());
});

interface ReportedCalls {
  /** Request number by idempotency key, for every call that was started. */
  readonly asked: Map<string, number>;
  /** Certificate by idempotency key, for every call that returned. */
  readonly got: Map<string, string>;
}

async function issueUntilKilled(authority: string, answers: number): Promise<ReportedCalls> {
  const { runDirectory, port, user, password } = inject('cluster');
  const facts = {
    connection: { host: runDirectory, port, user, password, database: ours.database },
    authority,
    sealingKey: Buffer.from(ours.sealingKey).toString('hex'),
    requests,
    tokenKeys: keys,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/killable-issuer.ts')], {
    env: { ...process.env, NODE_OPTIONS: '', KILLABLE_ISSUER: JSON.stringify(facts) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const told: ReportedCalls = { asked: new Map(), got: new Map() };
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, key = '', content = ''] = line.split(' ');
    if (what === 'asked') told.asked.set(key, Number(content));
    // The kill can truncate the last line; that response did not arrive.
    if (what === 'got' && Buffer.from(content, 'base64').toString('base64') === content) told.got.set(key, content);
    if (told.got.size === answers) child.kill('SIGKILL');
  }
  await exit;
  return told;
}

const kills = [
  ['sealed', 3],
  ['sealed', 40],
  ['sealed', 200],
  ['token', 40],
] as const;

it.each(kills)('keeps every guarantee with a %s key if killed after %i responses', async (place, answers) => {
  const authority = authorities[place];
  const { asked, got } = await issueUntilKilled(authority, answers);
  expect(got.size).toBeGreaterThanOrEqual(answers);
  const revived = await ours.restart({ tokenKeys: tokenHost(keys).tokenKeys });
  const journal = await ours.pool.query<{ key: string; serial: Buffer }>(
    'SELECT idempotency_key AS key, serial FROM connector_software_authority.issuance WHERE authority_uuid = $1',
    [authority],
  );
  const serials = new Map(journal.rows.map(({ key, serial }) => [key, serial.toString('hex')]));
  expect(new Set(serials.values()).size).toBe(journal.rows.length);
  for (const [key, number] of asked) {
    const der = await issueDer(revived.call, { authority, request: requests[number] ?? '', key });
    const earlier = got.get(key);
    // Returned certificates are returned again, byte for byte; journaled entries keep their serial number.
    if (earlier !== undefined) expect(Buffer.from(der).toString('base64')).toBe(earlier);
    const known = serials.get(key);
    if (known !== undefined) expect(parseCertificate(der).serialNumber).toBe(known);
    else expect(earlier).toBeUndefined();
  }
  const after = await ours.pool.query<{ count: string }>(
    `SELECT count(*) FROM connector_software_authority.issuance i
     LEFT JOIN connector_software_authority.issuance_signature s ON s.issuance_id = i.id
     WHERE i.authority_uuid = $1 AND s.issuance_id IS NULL`,
    [authority],
  );
  expect(Number(after.rows[0]?.count)).toBe(0);
});
