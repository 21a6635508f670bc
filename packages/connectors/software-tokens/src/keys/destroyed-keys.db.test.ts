// A key that is destroyed never signs again: signatures and destructions at once, in one process and in several.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import {
  activate,
  createPair,
  createToken,
  destroy,
  refusal,
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

type Answer = 'signed' | 'destroyed' | 'refused';

/** A token of its own, so that no other process is waited for. */
async function onlyProcess(): Promise<TestTokens> {
  token = await createToken(ours.call);
  return ours;
}

interface Scene {
  readonly specification: string;
  /** Processes that sign; the first one destroys. */
  readonly processes: readonly TestTokens[];
  /** Callers at once, of each process. */
  readonly signers: number;
  readonly destroyers: number;
}

/** Signs without a pause and destroys meanwhile; answers in the order in which they came. */
async function signBeside({ specification, processes, signers, destroyers }: Scene): Promise<readonly Answer[]> {
  const { privateKeyData } = await createPair(ours.call, token, { specification, alias: crypto.randomUUID() });
  const key = privateKeyData.uuid;
  const sent = specification === 'P-256' ? attributes : [];
  const signOnce = ({ call }: TestTokens): Promise<Answer> =>
    sign(call, { token, key, attributes: sent, data }).then(
      () => 'signed',
      () => 'refused',
    );
  for (const each of processes) expect(await signOnce(each)).toBe('signed');
  const answers: Answer[] = [];
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
  // On a busy machine the slow ones take longer.
  while (!answers.includes('signed')) await setTimeout(20);
  const destroying = Array.from({ length: destroyers }, async () => {
    const outcome = await refusal(destroy(ours.call, { token, key }));
    if (outcome === 'not refused') answers.push('destroyed');
    else expect(outcome).toContain('404: Key'); // another one was first
  });
  await Promise.all(destroying);
  // A lease that was not waited for would end only then.
  await setTimeout(1_100);
  end.abort();
  await Promise.all(signing);
  return answers;
}

function expectNothingAfter(answers: readonly Answer[]): void {
  const destroyed = answers.indexOf('destroyed');
  expect(answers.filter((answer) => answer === 'destroyed')).toHaveLength(1);
  expect(answers.slice(0, destroyed)).toContain('signed');
  expect(answers.slice(destroyed)).not.toContain('signed');
}

it('no signature is answered after its key was destroyed, a hundred callers at once', async () => {
  const processes = [await onlyProcess()];
  expectNothingAfter(await signBeside({ specification: 'P-256', processes, signers: 50, destroyers: 50 }));
});

it('nor is one that takes so long that it began before', async () => {
  const processes = [await onlyProcess()];
  expectNothingAfter(await signBeside({ specification: 'SLH-DSA-SHAKE-192F', processes, signers: 4, destroyers: 1 }));
});

it('nor does another process that has it in memory make one', async () => {
  expectNothingAfter(
    await signBeside({ specification: 'P-256', processes: await bothProcesses(), signers: 4, destroyers: 1 }),
  );
});

it('nor by one that does not reach the database any more', async () => {
  await bothProcesses();
  const { privateKeyData } = await createPair(ours.call, token);
  const key = privateKeyData.uuid;
  await sign(theirs.call, { token, key, attributes, data });
  const { pool } = ours;
  const query = pool.query.bind(pool);
  Object.assign(pool, { query: () => Promise.reject(new Error('connection terminated')) });
  await setTimeout(1_100);
  expect(await refusal(sign(theirs.call, { token, key, attributes, data }))).toContain(
    '503: The database does not answer, so it is not known whether the key still exists.',
  );
  Object.assign(pool, { query });
  expect(await sign(theirs.call, { token, key, attributes, data })).not.toHaveLength(0);
});
