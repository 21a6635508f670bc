// Wrong device credentials on a real database: which are counted, which are rejected over a limit, and which still
// pass.
import { testDatabase } from '@signetry/testkit/database';
import { describe, expect, it } from 'vitest';
import { createSealer, newSealingKey } from '../../platform/crypto/sealing.ts';
import { createRateLimits, limited, type LimitName, type Rate } from '../../platform/limits/rate-limits.ts';
import { createCredentialChecks, type CredentialCheckParts } from './credential-checks.ts';

const database = await testDatabase();
const sealer = createSealer([newSealingKey()]);

class WrongSecret extends Error {}

/** Creates a node with limits of `ofAddress` and `ofPair` wrong credentials per hour. */
function node(
  { ofAddress = 100, ofPair = 100 }: { readonly ofAddress?: number; readonly ofPair?: number },
  more: Partial<CredentialCheckParts> = {},
) {
  const rates = Object.fromEntries(Object.keys(limited).map((name) => [name, undefined as Rate | undefined]));
  const set = {
    failedEnrollments: { count: ofAddress, perS: 3_600 },
    failedEnrollmentsOfProfile: { count: ofPair, perS: 3_600 },
  };
  // keys of the table
  const all = { ...rates, ...set } as Record<LimitName, Rate | undefined>;
  const check = createCredentialChecks({
    limits: createRateLimits({ database, sealer, rates: all }),
    pauseMs: 0,
    ...more,
  });
  return (address: string, profileUuid: string, work: () => Promise<string> = guess) =>
    check({ address, profileUuid, isWrong: (error) => error instanceof WrongSecret }, work);
}

const guess = () => Promise.reject(new WrongSecret('The secret is wrong.'));
const valid = () => Promise.resolve('passed');

const outcomeOf = (attempt: Promise<string>): Promise<string> =>
  attempt.catch((error: { readonly code?: string }) => error.code ?? 'wrong');

const outcomes = async (count: number, attempt: () => Promise<string>) => {
  const all: string[] = [];
  for (let at = 0; at < count; at += 1) all.push(await outcomeOf(attempt()));
  return all;
};

describe('wrong credentials', () => {
  it('are rejected on all profiles and nodes once their IP address exceeds its limit', async () => {
    const [one, other] = [node({ ofAddress: 3 }), node({ ofAddress: 3 })];
    expect(await outcomes(2, () => one('192.0.2.1', 'p1'))).toEqual(['wrong', 'wrong']);
    expect(await outcomes(2, () => other('192.0.2.1', 'p2'))).toEqual(['wrong', 'too_many_requests']);
    expect(await outcomeOf(one('192.0.2.2', 'p1'))).toBe('wrong');
  });

  it('are rejected at one profile once their IP address exceeds its limit there, but not at other profiles', async () => {
    const check = node({ ofPair: 2 });
    expect(await outcomes(3, () => check('192.0.2.10', 'p1'))).toEqual(['wrong', 'wrong', 'too_many_requests']);
    expect(await outcomeOf(check('192.0.2.10', 'p2'))).toBe('wrong');
    expect(await outcomeOf(check('192.0.2.11', 'p1'))).toBe('wrong');
  });

  it('do not block valid credentials from the same IP address or from a different one', async () => {
    const check = node({ ofPair: 1 });
    await outcomes(4, () => check('192.0.2.20', 'p1'));
    expect(await outcomes(3, () => check('192.0.2.20', 'p1', valid))).toEqual(['passed', 'passed', 'passed']);
    expect(await check('192.0.2.21', 'p1', valid)).toBe('passed');
  });

  it('from the same IPv6 network are counted together', async () => {
    const check = node({ ofPair: 1 });
    expect(await outcomeOf(check('2001:db8:7::1', 'p1'))).toBe('wrong');
    expect(await outcomeOf(check('2001:db8:7::2', 'p1'))).toBe('too_many_requests');
  });
});

describe('when a limit is exceeded', () => {
  it('wrong credentials are answered one at a time, and valid ones immediately', async () => {
    const check = node({ ofPair: 1 }, { pauseMs: 50 });
    await outcomes(2, () => check('192.0.2.30', 'p1'));
    const [order, begun]: [string[], number] = [[], performance.now()];
    const all = Array.from({ length: 4 }, (_, at) =>
      outcomeOf(check('192.0.2.30', 'p1')).then(() => order.push(`wrong ${at}`)),
    );
    await check('192.0.2.30', 'p1', valid);
    order.push('valid');
    await Promise.all(all);
    expect(order[0]).toBe('valid');
    expect(performance.now() - begun).toBeGreaterThan(4 * 45);
  });

  it('credentials are rejected without being checked while too many responses are pending, except from other IP addresses', async () => {
    const check = node({ ofPair: 1 }, { pauseMs: 500, maxWaiting: 0 });
    await outcomes(2, () => check('192.0.2.40', 'p1'));
    const held = outcomeOf(check('192.0.2.40', 'p1'));
    await expect.poll(() => outcomeOf(check('192.0.2.40', 'p1', valid))).toBe('too_many_requests');
    expect(await check('192.0.2.41', 'p1', valid)).toBe('passed');
    await held;
    expect(await check('192.0.2.40', 'p1', valid)).toBe('passed');
  });

  it('other errors are not counted and not hidden', async () => {
    const check = node({ ofPair: 1 });
    const broken = () => Promise.reject(new Error('no such authority'));
    for (let at = 0; at < 3; at += 1)
      await expect(check('192.0.2.50', 'p1', broken)).rejects.toThrow('no such authority');
    expect(await outcomes(2, () => check('192.0.2.50', 'p1'))).toEqual(['wrong', 'too_many_requests']);
    await expect(check('192.0.2.50', 'p1', broken)).rejects.toThrow('no such authority');
  });
});
