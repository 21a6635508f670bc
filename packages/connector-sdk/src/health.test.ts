import { HealthDto } from '@signetry/contract';
import { expect, it } from 'vitest';
import { healthOf } from './health.ts';

it('a connector is well when all of its parts are', async () => {
  const health = await healthOf({ database: () => undefined, ca: async () => 'reachable' });
  expect(health).toEqual({ status: 'ok', parts: { database: { status: 'ok' }, ca: { status: 'ok' } } });
  expect(HealthDto.parse(health)).toEqual(health);
});

it('a part that fails says why; one that hangs is not waited for', async () => {
  const health = await healthOf(
    {
      database: () => undefined,
      ca: () => Promise.reject(new Error('The CA refuses the client certificate.')),
      hsm: () => new Promise(() => undefined),
    },
    { timeoutMs: 20 },
  );
  expect(health).toEqual({
    status: 'nok',
    parts: {
      database: { status: 'ok' },
      ca: { status: 'nok', description: 'The CA refuses the client certificate.' },
      hsm: { status: 'nok', description: 'There was no answer in time.' },
    },
  });
});
