// Derivations in real threads.
import type { PasswordMacFunctions } from '@signetry/pki';
import { nodeMacFunctions } from '@signetry/pki/node';
import { afterAll, describe, expect, it } from 'vitest';
import { createMacDerivations } from './mac-derivations.ts';

const derivations = createMacDerivations();
afterAll(() => derivations.stop());

const deriveRepeated = ({ repeatDigest }: PasswordMacFunctions, iterations: number) =>
  repeatDigest('sha256', { data: Buffer.from('secret and salt'), iterations });
const derivePbkdf2 = ({ pbkdf2 }: PasswordMacFunctions, iterations: number, length = 32) =>
  pbkdf2('sha256', { secret: Buffer.from('secret'), salt: Buffer.alloc(16, 7), iterations, length });

const MOST = 100_000;
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'derived',
    (error: { code: string }) => error.code,
  );

describe('a key derived in a thread', () => {
  const functions = derivations.from('192.0.2.1');

  it.each([1, 500, 2_048, 2_049, 10_000, 10_001, 30_000])(
    'matches the key derived on the main thread after %i digests',
    async (iterations) => {
      expect(await deriveRepeated(functions, iterations)).toEqual(await deriveRepeated(nodeMacFunctions, iterations));
    },
  );

  it.each([
    [500, 32],
    [5_000, 64],
    [30_000, 20],
  ])(
    'matches the key derived on the main thread after %i PBKDF2 iterations, with %i bytes',
    async (iterations, length) => {
      expect(await derivePbkdf2(functions, iterations, length)).toEqual(
        await derivePbkdf2(nodeMacFunctions, iterations, length),
      );
    },
  );
});

describe('expensive derivations for one IP address', () => {
  it('are rejected beyond a limit, while those for other IP addresses are accepted', async () => {
    const [flooding, other] = [derivations.from('192.0.2.7'), derivations.from('192.0.2.8')];
    const flood = Array.from({ length: 40 }, () => outcomeOf(deriveRepeated(flooding, MOST)));
    expect(await outcomeOf(deriveRepeated(other, MOST))).toBe('derived');
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((each) => each === 'derived')).toHaveLength(17); // One is running, and sixteen are waiting.
    expect(outcomes.filter((each) => each === 'unavailable')).toHaveLength(23);
  });

  it('do not delay inexpensive derivations, even for the same IP address', async () => {
    const functions = derivations.from('192.0.2.9');
    let areDone = false;
    const costly = Promise.all(Array.from({ length: 10 }, () => derivePbkdf2(functions, MOST))).then(() => {
      areDone = true;
    });
    await deriveRepeated(functions, 500);
    await derivePbkdf2(functions, 5_000);
    expect(areDone).toBe(false);
    await costly;
  });
});
