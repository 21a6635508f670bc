import { workerPort } from '@signetry/testkit/worker-port';
import { expect, it, onTestFinished } from 'vitest';
import { assertFree, ListenError } from './listeners.ts';
import { openStartingListener } from './starting-listener.ts';

it('the startup listener is live, is not ready, and reports the startup progress', async () => {
  const address = { host: '127.0.0.1', port: await workerPort() };
  const listener = await openStartingListener(address);
  onTestFinished(() => listener.close());
  const at = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${address.port}${path}`);

  expect((await at('/health/live')).status).toBe(200);
  expect(await (await at('/health/ready')).json()).toEqual({ status: 'DOWN', message: 'the platform is starting' });
  listener.describe('the database is being migrated: 0200-x.sql (1 of 2), running for 40 s');
  const ready = await at('/health/ready');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ message: expect.stringContaining('0200-x.sql (1 of 2)') as string });
  const other = await at('/api/v1/certificates');
  expect(other.status).toBe(503);
  expect(other.headers.get('retry-after')).toBe('5');
  expect(await other.json()).toMatchObject({ code: 'UNAVAILABLE' });

  await listener.close();
  await assertFree(address, '--http');
});

it('the error for an address in use names the flag', async () => {
  const address = { host: '127.0.0.1', port: await workerPort() };
  const first = await openStartingListener(address);
  onTestFinished(() => first.close());
  await expect(openStartingListener(address)).rejects.toThrow(ListenError);
  await expect(openStartingListener(address)).rejects.toThrow(/in use by another program.*--http/);
});
