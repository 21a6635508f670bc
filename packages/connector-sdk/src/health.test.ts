import { HealthDto } from '@signetry/contract';
import { expect, it } from 'vitest';
import { healthOf } from './health.ts';

it('a connector is healthy if all its parts are', async () => {
  const health = await healthOf({ database: () => undefined, ca: async () => 'reachable' });
  expect(health).toEqual({ status: 'ok', parts: { database: { status: 'ok' }, ca: { status: 'ok' } } });
  expect(HealthDto.parse(health)).toEqual(health);
});

it('a failing part reports the reason, and a part that hangs is not awaited', async () => {
  const health = await healthOf(
    {
      database: () => undefined,
      ca: () => Promise.reject(new Error('The CA rejects the client certificate.')),
      hsm: () => new Promise(() => undefined),
    },
    { timeoutMs: 20 },
  );
  expect(health).toEqual({
    status: 'nok',
    parts: {
      database: { status: 'ok' },
      ca: { status: 'nok', description: 'The CA rejects the client certificate.' },
      hsm: { status: 'nok', description: 'No response within the time limit.' },
    },
  });
});
