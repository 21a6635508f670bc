// Against real servers on loopback.
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
const LATER = { failInfo: 'badRequest', message: 'The challenge password could not be checked now; try again later.' };

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`; // it listens on TCP
}

function startWebhook({ allowLoopback = true, giveUp = new AbortController().signal } = {}) {
  const egress = createEgressGate({ allowLoopback, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const warnings: object[] = [];
  const log = { warn: (facts: object) => void warnings.push(facts) } as unknown as Logger; // all it calls
  const webhook = createChallengeWebhook({ egress, giveUp, log });
  onTestFinished(() => webhook.close());
  return { ask: webhook.ask, warnings };
}

describe('the webhook of challenges', () => {
  it('is posted the question as JSON', async () => {
    const asked: unknown[] = [];
    const url = await listening(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
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
  ])('that answers with %i lets in: %s', async (status, admits) => {
    const url = await listening((_request, response) => void response.writeHead(status).end());
    expect(await startWebhook().ask(url, QUESTION)).toBe(admits);
  });

  it.each([300, 302, 304, 500, 503])('that answers with %i has a device try again later', async (status) => {
    const seen: string[] = [];
    const url = await listening((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    await expect(startWebhook().ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(seen).toEqual(['/ask']);
  });

  it('that cuts the connection has a device try again later, and the log names the profile only', async () => {
    const url = await listening((request) => void request.socket.destroy());
    const { ask, warnings } = startWebhook();
    await expect(ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(warnings).toMatchObject([{ profile: 'routers' }]);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });

  it.each([
    ['a forbidden address', 'http://127.0.0.1:9/ask'],
    ['another scheme', 'ftp://challenges.test/ask'],
    ['what is no URL', 'challenges'],
  ])('is not asked at %s', async (_what, url) => {
    const { ask, warnings } = startWebhook({ allowLoopback: false });
    await expect(ask(url, QUESTION)).rejects.toMatchObject(LATER);
    expect(warnings).toHaveLength(1);
  });

  it('is not waited for when the platform stops', async () => {
    const stop = new AbortController();
    const url = await listening(() => stop.abort());
    await expect(startWebhook({ giveUp: stop.signal }).ask(url, QUESTION)).rejects.toMatchObject(LATER);
  });
});
