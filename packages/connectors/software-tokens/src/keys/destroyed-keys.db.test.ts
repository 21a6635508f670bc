// A destroyed key never signs again: concurrent signatures and destructions, in one process and in multiple processes.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import {
  activate,
  createPair,
  createToken,
  destroy,
  rejectionOf,
  sign,
  signatureAttributes,
  startTestTokens,
  type TestTokens,
} from '../testing/test-tokens.ts';

const attributes = signatureAttributes({ digest: 'SHA-256' });
const data = Buffer.from('data');

let ours: TestTokens;
let theirs: TestTokens;
let token = '';
beforeAll(async () => {
  ours = await startTestTokens();
  theirs = await ours.another();
});

async function bothProcesses(): Promise<readonly TestTokens[]> {
  token = await createToken(ours.call);
  await activate(theirs.call, token);
  return [ours, theirs];
}

type SigningOutcome = 'signed' | 'destroyed' | 'refused';

/** Creates a separate token, so that there is no other process to wait for. */
async function onlyProcess(): Promise<TestTokens> {
  token = await createToken(ours.call);
  return ours;
}

interface Scenario {
  readonly specification: string;
  /** Processes that sign; the first one also destroys. */
  readonly processes: readonly TestTokens[];
  /** Concurrent callers per process. */
  readonly signers: number;
  readonly destroyers: number;
}

/** Signs continuously while the key is destroyed, and returns the outcomes in order of arrival. */
async function signDuringDestruction({
  specification,
  processes,
  signers,
  destroyers,
}: Scenario): Promise<readonly SigningOutcome[]> {
  const { privateKeyData } = await createPair(ours.call, token, { specification, alias: crypto.randomUUID() });
  const key = privateKeyData.uuid;
  const sent = specification === 'P-256' ? attributes : [];
  const signOnce = ({ call }: TestTokens): Promise<SigningOutcome> =>
    sign(call, { token, key, attributes: sent, data }).then(
      () => 'signed',
      () => 'refused',
    );
  for (const each of processes) expect(await signOnce(each)).toBe('signed');
  const answers: SigningOutcome[] = [];
  const end = new AbortController();
  const signing = processes.flatMap((each) =>
    Array.from({ length: signers }, async () => {
      while (!end.signal.aborted) {
        answers.push(await signOnce(each));
        if (answers.at(-1) === 'refused') return;
        await setTimeout(Math.random() * 3);
      }
    }),
  );
  await setTimeout(200);
  // Slow algorithms take longer on a busy machine.
  while (!answers.includes('signed')) await setTimeout(20);
  const destroying = Array.from({ length: destroyers }, async () => {
    const outcome = await rejectionOf(destroy(ours.call, { token, key }));
    if (outcome === 'not refused') answers.push('destroyed');
    else expect(outcome).toContain('404: Key'); // A different caller was first.
  });
  await Promise.all(destroying);
  // A lease that was not awaited would end only now.
  await setTimeout(1_100);
  end.abort();
  await Promise.all(signing);
  return answers;
}

function expectNoLateSignatures(answers: readonly SigningOutcome[]): void {
  const destroyed = answers.indexOf('destroyed');
  expect(answers.filter((answer) => answer === 'destroyed')).toHaveLength(1);
  expect(answers.slice(0, destroyed)).toContain('signed');
  expect(answers.slice(destroyed)).not.toContain('signed');
}

it('returns no signature after the key is destroyed, with 100 concurrent callers', async () => {
  const processes = [await onlyProcess()];
  expectNoLateSignatures(
    await signDuringDestruction({ specification: 'P-256', processes, signers: 50, destroyers: 50 }),
  );
});

it('returns no slow signature that was started before the key was destroyed', async () => {
  const processes = [await onlyProcess()];
  expectNoLateSignatures(
    await signDuringDestruction({ specification: 'SLH-DSA-SHAKE-192F', processes, signers: 4, destroyers: 1 }),
  );
});

it('returns no signature from a second process that has the key in memory', async () => {
  expectNoLateSignatures(
    await signDuringDestruction({
      specification: 'P-256',
      processes: await bothProcesses(),
      signers: 4,
      destroyers: 1,
    }),
  );
});

it('returns no signature from a process that can no longer reach the database', async () => {
  await bothProcesses();
  const { privateKeyData } = await createPair(ours.call, token);
  const key = privateKeyData.uuid;
  await sign(theirs.call, { token, key, attributes, data });
  const { pool } = ours;
  const query = pool.query.bind(pool);
  Object.assign(pool, { query: () => Promise.reject(new Error('connection terminated')) });
  await setTimeout(1_100);
  expect(await rejectionOf(sign(theirs.call, { token, key, attributes, data }))).toContain(
    '503: The database does not respond, so it cannot be verified that the key still exists.',
  );
  Object.assign(pool, { query });
  expect(await sign(theirs.call, { token, key, attributes, data })).not.toHaveLength(0);
});
