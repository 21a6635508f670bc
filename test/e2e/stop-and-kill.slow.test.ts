// Stopping the platform as a program: by SIGTERM, while it is busy, and by kill -9.
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { processTree } from '../load/server-process.ts';
import { issue, uuidsOf } from './testing/certificates.ts';
import { defaultProfile } from './testing/profiles.ts';
import { databasePid, isRunning, startProgram, temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const directory = join(temporaryFolder(), 'data');

describe('SIGTERM', () => {
  it('stops the platform within seconds, leaves no process or run file behind, and loses nothing that was acknowledged', async () => {
    const { child, client, ready } = await startProgram({ directory });
    const path = await defaultProfile(client);
    const family = processTree(ready.pid);
    expect(family.length).toBeGreaterThan(2);
    const requests = await Promise.all(
      Array.from({ length: 12 }, (_unused, index) => makeRequest({ subject: `CN=busy-${index}.example` })),
    );
    const answered = Promise.allSettled(requests.map((request) => issue(client, path, request)));
    const started = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(family.filter(isRunning)).toEqual([]);
    expect(databasePid(directory)).toBeUndefined();
    await expect(stat(join(directory, 'run.json'))).rejects.toThrow('ENOENT');

    const next = await startProgram({ directory });
    const uuids = await uuidsOf(next.client);
    for (const outcome of await answered)
      if (outcome.status === 'fulfilled') expect(uuids).toContain(outcome.value.uuid);
    await next.stop();
  });
});

describe('a stopping platform', () => {
  it('still responds to requests on active connections', async () => {
    const { child, ready } = await startProgram({ directory });
    const { hostname, port, host } = new URL(ready.http);
    const socket = connect({ host: hostname, port: Number(port) });
    let answers = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answers += text));
    const path = '/api/v1/protocols/acme/default';
    socket.write(
      `POST ${path}/new-order HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/jose+json\r\nContent-Length: 2\r\n\r\n{`,
    );
    const ended = once(child, 'exit');
    await delay(200); // The request is in progress.
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(fetch(`${ready.http}${path}/directory`)).rejects.toThrow(), { timeout: 5_000 });
    socket.write(`}GET ${path}/directory HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'close');
    expect(answers).toMatch(/^HTTP\/1\.1 400 [^]*HTTP\/1\.1 200 [^]*newNonce/);
    await ended;
  });
});

describe('kill -9', () => {
  it('leaves the database running, and the next start takes it over and later stops it', async () => {
    const killed = await startProgram({ directory });
    const { uuid } = await issue(
      killed.client,
      await defaultProfile(killed.client),
      await makeRequest({ subject: 'CN=survivor.example' }),
    );
    const database = databasePid(directory);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(isRunning(database)).toBe(true);

    const next = await startProgram({ directory });
    expect(databasePid(directory)).toBe(database);
    expect(await uuidsOf(next.client)).toContain(uuid);
    expect(await next.client.auditVerification.verifyAuditLog()).toMatchObject({ intact: true });
    await next.stop();
    expect(isRunning(database)).toBe(false);
  });
});
