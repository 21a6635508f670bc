import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConsoleBuild, ConsoleState } from './console-build.ts';
import { createConsolePages } from './console-pages.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signetry-pages-'));
  await mkdir(join(directory, 'console'));
  await writeFile(join(directory, 'index.html'), '<html nonce="%STYLE_NONCE%"></html>');
  await writeFile(join(directory, 'console', 'app-1234.js'), 'started();');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function platformWith(state: () => ConsoleState, ended: Promise<void>) {
  const build: ConsoleBuild = { state, ended, stop: () => undefined };
  const server = Fastify();
  createConsolePages(build, { linksDocs: true }).serve(server);
  return (url: string) => server.inject({ url });
}

describe('the console pages', () => {
  it('are still served after the build is removed', async () => {
    const ask = platformWith(() => ({ status: 'ready', directory }), Promise.resolve());
    await vi.waitFor(async () => expect((await ask('/')).statusCode).toBe(200));
    await rm(directory, { recursive: true });
    const page = await ask('/');
    expect([page.statusCode, page.body]).toEqual([200, expect.stringMatching(/^<html nonce="[\w+/]{22}=="/)]);
    expect(page.headers['content-security-policy']).toContain(/nonce="([^"]+)"/.exec(page.body)?.[1]);
    expect((await ask('/console/app-1234.js')).body).toBe('started();');
    expect((await ask('/console/none.js')).body).toContain('There is no operation GET /console/none.js.');
  });

  it('are loaded before the first request if the build exists', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let state: ConsoleState = { status: 'building' };
    const ask = platformWith(() => state, ended);
    expect([(await ask('/')).statusCode, (await ask('/')).body]).toEqual([
      503,
      expect.stringContaining('Preparing the console'),
    ]);
    state = { status: 'ready', directory };
    resolve();
    await new Promise((done) => setTimeout(done, 300)); // Nothing signals that loading has finished.
    await rm(directory, { recursive: true });
    expect((await ask('/')).statusCode).toBe(200);
  });

  it('are loaded again if loading failed', async () => {
    await rm(join(directory, 'index.html'));
    const ask = platformWith(() => ({ status: 'ready', directory }), Promise.resolve());
    expect((await ask('/')).statusCode).toBe(500);
    await writeFile(join(directory, 'index.html'), '<html></html>');
    expect((await ask('/')).statusCode).toBe(200);
  });
});
