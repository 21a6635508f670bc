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
  token = await createToken(ours.call);
  await activate(theirs.call, token);
});

interface Answer {
  readonly what: 'signed' | 'destroyed' | 'refused';
  readonly order: number;
}

/** Signs without a pause in several processes and destroys in one; answers in the order in which they came. */
async function signBeside(
  signers: readonly TestTokens[],
  { destroyer, specification }: { readonly destroyer: TestTokens; readonly specification: string },
): Promise<readonly Answer[]> {
  const { privateKeyData } = await createPair(ours.call, token, { specification, alias: crypto.randomUUID() });
  const key = privateKeyData.uuid;
  const sent = specification === 'P-256' ? attributes : [];
  for (const { call } of signers) await sign(call, { token, key, attributes: sent, data });
  const answers: Answer[] = [];
  const note = (what: Answer['what']): void => void answers.push({ what, order: answers.length });
  let isOver = false;
  const signing = signers.flatMap(({ call }) =>
    Array.from({ length: 50 }, async () => {
      while (!isOver) {
        const answer = await sign(call, { token, key, attributes: sent, data }).then(
          () => 'signed' as const,
          () => 'refused' as const,
        );
        note(answer);
        if (answer === 'refused') return;
        await setTimeout(Math.random() * 3);
      }
    }),
  );
  await setTimeout(150);
  const destroying = Array.from({ length: 50 }, () =>
    destroy(destroyer.call, { token, key }).then(
      () => note('destroyed'),
      () => undefined, // another one was first
    ),
  );
  await Promise.all(destroying);
  await setTimeout(200);
  isOver = true;
  await Promise.all(signing);
  return answers;
}

function expectNothingAfter(answers: readonly Answer[]): void {
  const destroyed = answers.findIndex(({ what }) => what === 'destroyed');
  expect(answers.slice(0, destroyed).filter(({ what }) => what === 'signed').length).toBeGreaterThan(20);
  expect(answers.slice(destroyed).filter(({ what }) => what === 'signed')).toEqual([]);
}

it.each(['P-256', 'ML-DSA-44'])(
  'no signature with %s is answered after its key was destroyed',
  async (specification) => {
    const answers = await signBeside([ours], { destroyer: ours, specification });
    expectNothingAfter(answers);
    expect(answers.filter(({ what }) => what === 'destroyed')).toHaveLength(1);
  },
);

it.each(['P-256', 'ML-DSA-44'])('nor by another process that has %s in memory', async (specification) => {
  expectNothingAfter(await signBeside([ours, theirs], { destroyer: ours, specification }));
});

it('nor by one that does not reach the database any more', async () => {
  const { privateKeyData } = await createPair(ours.call, token, { alias: 'out of reach' });
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
