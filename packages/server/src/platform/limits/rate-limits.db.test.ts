// Limits with a real database: two nodes count together where the limit is shared, and a node counts alone when the
// database is unreachable.
import { testDatabase } from '@signetry/testkit/database';
import { describe, expect, it } from 'vitest';
import { createSealer, newSealingKey } from '../crypto/sealing.ts';
import { createRateLimits, limited, type LimitName, type Rate, type RateLimitsOptions } from './rate-limits.ts';

const database = await testDatabase();
const sealer = createSealer([newSealingKey()]);
const rate: Rate = { count: 3, perS: 3_600 };
// The keys are those of `limited`, hence the cast.
const all = Object.fromEntries(Object.keys(limited).map((name) => [name, rate])) as Record<LimitName, Rate>;
const node = (options: Partial<RateLimitsOptions> = {}) =>
  createRateLimits({ database, sealer, rates: all, ...options });

async function taken(take: () => Promise<void>): Promise<number> {
  for (let count = 0; count < 20; count += 1) {
    try {
      await take();
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_many_requests' });
      return count;
    }
  }
  return Infinity;
}

describe('a limit shared by all nodes', () => {
  it('is counted across all nodes', async () => {
    const [one, other] = [node(), node()];
    await one.acmeAccounts.take('192.0.2.1');
    await other.acmeAccounts.take('192.0.2.1');
    expect(await taken(() => one.acmeAccounts.take('192.0.2.1'))).toBe(1);
    await expect(other.acmeAccounts.take('192.0.2.1')).rejects.toMatchObject({
      code: 'too_many_requests',
      parameters: { what: limited.acmeAccounts.what, retryAfterS: expect.any(Number) as number },
    });
    expect(await taken(() => other.acmeAccounts.take('192.0.2.2'))).toBe(3);
  });

  it('is enforced by each node separately while the database is unavailable', async () => {
    const away = { run: () => Promise.reject(new Error('connection lost')) };
    // Fails like a lane without a database.
    const { acmeAccounts } = node({ database: { relaxed: away as never } });
    expect(await taken(() => acmeAccounts.take('192.0.2.3'))).toBe(3);
  });
});

describe('a limit', () => {
  it('does not count operations that eventually succeed, so it permits more operations', async () => {
    const { acmeOrders } = node();
    expect(await taken(() => acmeOrders.take('a'))).toBe(3);
    await acmeOrders.giveBack('a');
    await acmeOrders.giveBack('a');
    expect(await taken(() => acmeOrders.take('a'))).toBe(1);
  });

  it('that is checked without counting rejects operations once the permitted number is reached', async () => {
    const { acmeFailedValidations } = node();
    for (let at = 0; at < 3; at += 1) {
      await acmeFailedValidations.assertOpen('a');
      await acmeFailedValidations.note('a');
    }
    await expect(acmeFailedValidations.assertOpen('a')).rejects.toMatchObject({ code: 'too_many_requests' });
    await expect(acmeFailedValidations.assertOpen('b')).resolves.toBeUndefined();
  });

  it('that is disabled rejects nothing', async () => {
    const { acmeOrders } = node({ rates: { ...all, acmeOrders: undefined } });
    expect(await taken(() => acmeOrders.take('a'))).toBe(Infinity);
  });

  it('stores a limited number of rows, regardless of the number of IP addresses', async () => {
    const { acmeAccounts } = node({ rates: { ...all, acmeAccounts: { count: 1_000_000, perS: 3_600 } } });
    for (let at = 0; at < 300; at += 1) await acmeAccounts.take(`2001:db8:0:${at.toString(16)}::/64`);
    const keys = await database.query<{ key: string }>(`SELECT key FROM rate_limit`);
    for (const { key } of keys) expect(key).toMatch(/^acmeAccounts:[0-9a-f]{4}$/);
  });
});
