// The library process: calls, time limits and termination. With SoftHSM, in real processes.
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { HAS_SOFT_HSM, openSoftHsm, SOFT_HSM, SOFT_HSM_NOTE, type SoftHsm } from '../testing/soft-hsm.ts';
import { createModuleClient, type ModuleClient, type ModuleLimits } from './module-client.ts';

const clients: ModuleClient[] = [];
const open = (path: string, limits: Partial<ModuleLimits> = {}): ModuleClient => {
  const client = createModuleClient({ path, limits });
  clients.push(client);
  return client;
};
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
});

describe.skipIf(!HAS_SOFT_HSM)(`a library process${SOFT_HSM_NOTE}`, () => {
  let softHsm: SoftHsm;
  beforeAll(async () => {
    softHsm = await openSoftHsm();
  });
  afterAll(() => softHsm.remove());

  it('is terminated if it does not respond in time, and the next call starts a new one', async () => {
    const client = open(SOFT_HSM, { callMs: 1_000 });
    await client.call('describe', {});
    const { pid } = client;
    process.kill(pid ?? 0, 'SIGSTOP');
    await expect(client.call('describe', {})).rejects.toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('did not respond within 1 s'),
    });
    await expect(client.call('describe', {})).resolves.toMatchObject({ manufacturer: 'SoftHSM' });
    expect(client.pid).not.toBe(pid);
    expect(client.generation).toBe(2);
  });

  it('accepts a limited number of calls', async () => {
    const client = open(SOFT_HSM, { concurrency: 1, queued: 2 });
    const calls = await Promise.allSettled([1, 2, 3, 4].map(() => client.call('describe', {})));
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('ends when the connector stops, and returns nothing afterwards', async () => {
    const client = open(SOFT_HSM);
    await client.call('describe', {});
    const { pid = 0 } = client;
    await client.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(client.call('describe', {})).rejects.toMatchObject({ reason: 'stopped' });
  });

  it("does not inherit the platform's environment variables", async () => {
    process.env['SIGNETRY_DATABASE_URL'] = 'postgres://secret';
    const client = open(SOFT_HSM);
    await client.call('describe', {});
    const { readFile } = await import('node:fs/promises');
    const environment = await readFile(`/proc/${client.pid}/environ`, 'latin1').catch(() => '');
    delete process.env['SIGNETRY_DATABASE_URL'];
    expect(environment).not.toContain('SIGNETRY_');
  });
});

it("a file that is not a library is rejected with the system's error message, and is not retried immediately", async () => {
  const client = open('/nonexistent/libp11.so', { retryMs: 60_000 });
  const refusal = { name: 'ModuleError', reason: expect.stringMatching(/^(library|binding)$/) };
  await expect(client.call('describe', {})).rejects.toMatchObject(refusal);
  const startedMs = performance.now();
  await expect(client.call('describe', {})).rejects.toMatchObject(refusal);
  expect(performance.now() - startedMs).toBeLessThan(20);
});
