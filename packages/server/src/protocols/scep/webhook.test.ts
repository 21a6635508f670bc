// Runs against real servers on loopback.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../../platform/logging/logger.ts';
import { createEgressGate } from '../../platform/net/egress.ts';
import { createChallengeWebhook } from './webhook.ts';

const QUESTION = {
  profile: 'routers',
  transactionId: 'T1',
  subject: 'CN=device',
  challengePassword: 'canary-challenge',
  request: 'MIIB',
};
const LATER = { failInfo: 'badRequest', message: 'Cannot check the challenge password at this time; try again later.' };

async function startListener(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`; // listens on a TCP port
}

function startWebhook({ allowLoopback = true, giveUp = new AbortController().signal } = {}) {
  const egress = createEgressGate({ allowLoopback, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) } as unknown as Logger; // partial stub
  const webhook = createChallengeWebhook({ egress, giveUp, log });
  onTestFinished(() => webhook.close());
  return { ask: webhook.ask, warnings };
}

describe('the challenge webhook', () => {
  it('receives the challenge as JSON in a POST request', async () => {
    const asked: unknown[] = [];
    const url = await startListener(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer); // buffers, since no encoding is set
      const { method, url: path, headers } = request;
      asked.push([method, path, headers['content-type'], JSON.parse(Buffer.concat(chunks).toString())]);
      response.end();
    });
    expect(await startWebhook().ask(url, QUESTION)).toBe(true);
    expect(asked).toEqual([['POST', '/ask', 'application/json', QUESTION]]);
  });

  it.each([
    [200, true],
    [204, true],
    [299, true],
    [400, false],
    [403, false],
    [404, false],
    [499, false],
  ])('that returns %i admits the device: %s', async (status, admits) => {
    const url = await startListener((_request, response) => void response.writeHead(status).end());
    expect(await startWebhook().ask(url, QUESTION)).toBe(admits);
  });

  it.each([300, 302, 304, 500, 503])('that returns %i makes the device retry later', async (status) => {
    const seen: string[] = [];
    const url = await startListener((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    await expect(startWebhook().ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(seen).toEqual(['/ask']);
  });

  it('that breaks the connection makes the device retry later, and only the profile name is logged', async () => {
    const url = await startListener((request) => void request.socket.destroy());
    const { ask, warnings } = startWebhook();
    await expect(ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(warnings).toMatchObject([{ profile: 'routers' }]);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  it.each([
    ['a forbidden address', 'http://127.0.0.1:9/ask'],
    ['another scheme', 'ftp://challenges.test/ask'],
    ['what is no URL', 'challenges'],
  ])('is not called at %s', async (_what, url) => {
    const { ask, warnings } = startWebhook({ allowLoopback: false });
    await expect(ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(warnings).toHaveLength(1);
  });

  it('does not delay shutdown', async () => {
    const stop = new AbortController();
    const url = await startListener(() => stop.abort());
    await expect(startWebhook({ giveUp: stop.signal }).ask(url, QUESTION)).rejects.toMatchObject(LATER);
  });
});
