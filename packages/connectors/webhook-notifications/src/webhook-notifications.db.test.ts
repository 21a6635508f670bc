// Webhooks through the connector interface: real receivers on loopback and a real database.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem } from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import {
  createInstance,
  expiringNotification,
  notify,
  preview,
  startTestNotifier,
  updateInstance,
  type TestNotifier,
} from '@signetry/testkit/notification';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK, webhookNotifications } from './index.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './testing/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let notifier: TestNotifier;
let receiver: Receiver;
const receivers: Receiver[] = [];

async function receiverOf(...facts: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...facts);
  receivers.push(started);
  return started;
}

beforeAll(async () => {
  [notifier, receiver] = await Promise.all([startTestNotifier(webhookNotifications), receiverOf()]);
});
afterAll(() => Promise.all(receivers.map((each) => each.close())));

const valuesFor = (url: string, values: Record<string, unknown> = {}) => ({
  [WEBHOOK.url]: url,
  [WEBHOOK.form]: 'json',
  [WEBHOOK.timeoutSeconds]: 15,
  ...values,
});

async function rejectionOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  expect(error).toBeDefined();
  const { status, problems, retryAfterSeconds } = error as {
    status: number;
    problems: readonly string[];
    retryAfterSeconds?: number;
  };
  return { status, words: problems.join(' '), retryAfterSeconds };
}

const jsonOf = (body: string | undefined) => JSON.parse(body ?? '') as Record<string, unknown>;
function sentTo({ requests }: Receiver): ReceivedRequest {
  const last = requests.at(-1);
  if (!last) throw new Error('Nothing was sent.');
  return last;
}

describe('a notification', () => {
  it('is signed according to Standard Webhooks, and contains the configured values', async () => {
    const values = {
      [WEBHOOK.secret]: { secret: SECRET },
      [WEBHOOK.authorization]: { secret: 'Bearer abc' },
      [WEBHOOK.headers]: 'X-Source: pki\nX-Other: a: b',
    };
    const { uuid, attributes } = await createInstance(notifier, valuesFor(receiver.url, values));
    expect(JSON.stringify(attributes)).not.toMatch(/whsec_|Bearer abc/);
    await notify(notifier, { uuid, key: '0197c3d0-0000-7000-8000-0000000000d1' });
    const { headers, body } = sentTo(receiver);
    expect(jsonOf(body)).toEqual(expiringNotification);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      authorization: 'Bearer abc',
      'x-source': 'pki',
      'x-other': 'a: b',
      'webhook-id': '0197c3d0-0000-7000-8000-0000000000d1',
    });
    const timestamp = String(headers['webhook-timestamp']);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5);
    const signed = createHmac('sha256', Buffer.alloc(32, 7)).update(`${headers['webhook-id']}.${timestamp}.${body}`);
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  });

  it('that is repeated has the same identifier, with or without an idempotency key', async () => {
    const { uuid } = await createInstance(notifier, valuesFor(receiver.url));
    const idOf = async (key?: string, name = 'ada') => {
      await notify(notifier, { uuid, ...(key === undefined ? {} : { key }), body: { recipients: [{ name }] } });
      return sentTo(receiver).headers['webhook-id'];
    };
    expect(await idOf('one')).toBe('one');
    expect(await idOf('a key with spaces')).toMatch(/^[0-9a-f]{32}$/);
    expect(await idOf('a key with spaces')).not.toBe(await idOf('another key'));
    expect(await idOf()).toBe(await idOf());
    expect(await idOf()).not.toBe(await idOf(undefined, 'bob'));
    expect(sentTo(receiver).headers['webhook-signature']).toBeUndefined();
  });

  it('is a CloudEvent, a Slack message or a Teams card', async () => {
    const sentAs = async (form: string) => {
      const values = { [WEBHOOK.form]: form, [WEBHOOK.consoleUrl]: 'https://pki.example/' };
      const { uuid } = await createInstance(notifier, valuesFor(receiver.url, values));
      await notify(notifier, { uuid, key: 'form' });
      return { type: sentTo(receiver).headers['content-type'], body: jsonOf(sentTo(receiver).body) };
    };
    const certificate = '0197c3d0-0000-7000-8000-000000000001';
    expect(await sentAs('cloudEvents')).toEqual({
      type: 'application/cloudevents+json; charset=utf-8',
      body: {
        specversion: '1.0',
        id: 'form',
        source: 'https://pki.example',
        type: 'signetry.certificate_expiring',
        subject: certificate,
        datacontenttype: 'application/json',
        data: expiringNotification,
      },
    });
    const slack = JSON.stringify((await sentAs('slack')).body);
    expect(slack).toContain('Certificate for www.example.com expires in');
    expect(slack).toContain(`"url":"https://pki.example/certificates/${certificate}"`);
    const teams = (await sentAs('teams')).body;
    expect(teams).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    });
    expect(JSON.stringify(teams)).toContain('Renew it in time');
  });

  it('contains no mentions or links even if its content is malicious', async () => {
    const body = { notificationData: { subjectDn: 'CN=<!channel> [x](http://evil.example)' } };
    const readAsMarkup = async (form: string): Promise<string> => {
      const { uuid } = await createInstance(notifier, valuesFor(receiver.url, { [WEBHOOK.form]: form }));
      return textsReadAsMarkup(jsonOf((await preview(notifier, { uuid, body })).body)).join('\n');
    };
    expect(await readAsMarkup('slack')).not.toContain('<');
    expect(await readAsMarkup('teams')).toBe('');
  });

  it('can be previewed, without showing its secrets or sending a request', async () => {
    const values = { [WEBHOOK.secret]: { secret: SECRET }, [WEBHOOK.authorization]: { secret: 'Bearer abc' } };
    const { uuid } = await createInstance(notifier, valuesFor(receiver.url, values));
    const before = receiver.requests.length;
    const { body, headers } = await preview(notifier, { uuid, key: 'looked-at' });
    expect(jsonOf(body)).toEqual(expiringNotification);
    expect(headers).toMatchObject({ 'webhook-id': 'looked-at', authorization: '(as configured)' });
    expect(headers?.['webhook-signature']).toBe('v1,(created when sent)');
    expect(receiver.requests).toHaveLength(before);
  });
});

/** Returns the texts that are interpreted as mrkdwn or Markdown. */
function textsReadAsMarkup(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsReadAsMarkup);
  if (typeof node !== 'object' || node === null) return [];
  const { type, text, ...rest } = node as { type?: unknown; text?: unknown };
  const isPlain = type === 'plain_text' || type === 'TextRun';
  return [
    ...(typeof text === 'string' && !isPlain ? [text] : textsReadAsMarkup(text)),
    ...Object.values(rest).flatMap(textsReadAsMarkup),
  ];
}

describe('a response', () => {
  const rejectionAfter = async (answer: Parameters<typeof startReceiver>[0], values: Record<string, unknown> = {}) => {
    const { url } = await receiverOf(answer);
    const { uuid } = await createInstance(notifier, valuesFor(url, values));
    return rejectionOf(notify(notifier, { uuid }));
  };

  it('with 5xx or 429 allows a retry, and determines when', async () => {
    expect(await rejectionAfter((response) => response.writeHead(500).end())).toMatchObject({
      status: 503,
      retryAfterSeconds: undefined,
    });
    expect(await rejectionAfter((response) => response.writeHead(429, { 'Retry-After': '120' }).end())).toMatchObject({
      status: 503,
      words: expect.stringMatching(/responded with status 429\. The platform will retry\./) as string,
      retryAfterSeconds: 120,
    });
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterSeconds } = await rejectionAfter((response) =>
      response.writeHead(503, { 'Retry-After': date }).end(),
    );
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(
      await rejectionAfter((response) => response.writeHead(503, { 'Retry-After': '999999999' }).end()),
    ).toMatchObject({
      retryAfterSeconds: 86_400,
    });
  });

  it('with 4xx is final, and the error does not quote the receiver', async () => {
    const refusal = await rejectionAfter((response) => response.writeHead(404).end('internal: secret of the receiver'));
    expect(refusal).toMatchObject({
      status: 422,
      words: expect.stringMatching(/rejected the request with status 404: check the URL/) as string,
    });
    expect(refusal.words).not.toMatch(/secret|hook/);
    expect((await rejectionAfter((response) => response.writeHead(400).end('invalid_payload'))).words).toContain(
      'status 400 (invalid_payload)',
    );
  });

  it('is not followed if it is a redirect', async () => {
    const before = receiver.requests.length;
    const refusal = await rejectionAfter((response) => response.writeHead(307, { Location: receiver.url }).end());
    expect(refusal).toMatchObject({ status: 422, words: expect.stringContaining('redirect (307)') as string });
    expect(receiver.requests).toHaveLength(before);
  });

  it('is limited by a timeout if it never arrives or never ends', async () => {
    const began = performance.now();
    const soon = { [WEBHOOK.timeoutSeconds]: 1 };
    const hanging = await rejectionAfter(() => undefined, soon);
    expect(hanging).toMatchObject({
      status: 503,
      words: expect.stringContaining('did not respond within 1 s') as string,
    });
    const dripping = await rejectionAfter((response) => {
      response.writeHead(200).flushHeaders();
      const timer = setInterval(() => response.write('x'), 100);
      response.on('close', () => clearInterval(timer));
    }, soon);
    expect(dripping.status).toBe(503);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('is evaluated by its status if it is endless, and is not read completely', async () => {
    const { url } = await receiverOf((response) => {
      response.writeHead(200);
      const writeMore = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', writeMore);
      writeMore();
    });
    const { uuid } = await createInstance(notifier, valuesFor(url));
    await notify(notifier, { uuid });
  });

  it('is described in the error if it is not HTTP, as is a refused connection', async () => {
    const server = createServer((socket) => void socket.resume().end('SSH-2.0-secret\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { uuid } = await createInstance(notifier, valuesFor(`http://localhost:${port}`));
    const refusal = await rejectionOf(notify(notifier, { uuid }));
    expect(refusal).toMatchObject({ status: 503, words: `localhost:${port}: it does not respond with HTTP.` });
    await new Promise((resolve) => server.close(resolve));
    expect(await rejectionOf(notify(notifier, { uuid }))).toMatchObject({
      status: 503,
      words: `localhost:${port}: it refused the connection.`,
    });
  });
});

describe('a receiver', () => {
  it('behind TLS is trusted only if its CA is configured', async () => {
    const authorityKeys = await generateKeyPair('P-256');
    const authority = await createExternalAuthority('CN=Hook Root', authorityKeys);
    const { privateKey, spki } = await generateKeyPair('P-256');
    const leaf = authority.issue({ subject: 'CN=localhost', spki, dnsNames: ['localhost'] });
    const root = authority.certify({ subject: 'CN=Hook Root', spki: authorityKeys.spki });
    const key = await exportPrivateKeyPem(privateKey);
    const { url, requests } = await receiverOf(undefined, { key, cert: writePem('CERTIFICATE', leaf) });
    const anchors = { [WEBHOOK.trustAnchors]: writePem('CERTIFICATE', root) };
    const trusted = await createInstance(notifier, valuesFor(url, anchors));
    await notify(notifier, { uuid: trusted.uuid });
    expect(requests).toHaveLength(1);
    const { uuid } = await createInstance(notifier, valuesFor(url));
    const refusal = await rejectionOf(notify(notifier, { uuid }));
    expect(refusal).toMatchObject({
      status: 503,
      words: expect.stringContaining('it has no certificate for this host that is trusted here (') as string,
    });
  });

  it('at a blocked address is rejected when it is saved, and when a notification is sent', async () => {
    let mayReach = false;
    const guarded = await startTestNotifier(webhookNotifications, {
      resolveHost: (name) =>
        mayReach
          ? Promise.resolve([{ address: '127.0.0.1' }])
          : Promise.reject(new Error(`${name} has a loopback address, which is blocked.`)),
    });
    const values = valuesFor(receiver.url);
    const { status, words } = await rejectionOf(createInstance(guarded, values));
    expect([status, words]).toEqual([422, 'URL: localhost has a loopback address, which is blocked.']);
    mayReach = true;
    const byName = await createInstance(guarded, values);
    const byAddress = await createInstance(guarded, valuesFor(receiver.url.replace('localhost', '127.0.0.1')));
    mayReach = false;
    const before = receiver.requests.length;
    for (const { uuid } of [byName, byAddress])
      expect((await rejectionOf(notify(guarded, { uuid }))).words).toContain('loopback address, which is blocked');
    expect(receiver.requests).toHaveLength(before);
  });

  it('can complete a request even if the instance is updated in the meantime', async () => {
    const changed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { url } = await receiverOf((response) => {
      asked.resolve();
      void changed.promise.then(() => response.writeHead(204).end());
    });
    const { uuid } = await createInstance(notifier, valuesFor(url));
    const sent = notify(notifier, { uuid });
    await asked.promise;
    await updateInstance(notifier, uuid, valuesFor(url, { [WEBHOOK.form]: 'slack' }));
    changed.resolve();
    await sent;
  });

  it('keeps its secrets when another value changes, and loses them when its URL changes or they are removed', async () => {
    const secrets = { [WEBHOOK.authorization]: { secret: 'Bearer abc' } };
    const { uuid } = await createInstance(notifier, valuesFor(receiver.url, secrets));
    const authorizationAfter = async (values: Record<string, unknown>) => {
      await updateInstance(notifier, uuid, values);
      await notify(await notifier.another(), { uuid });
      return sentTo(receiver).headers.authorization;
    };
    expect(await authorizationAfter(valuesFor(receiver.url, { [WEBHOOK.form]: 'slack' }))).toBe('Bearer abc');
    expect(await authorizationAfter(valuesFor(receiver.url, { [WEBHOOK.authorization]: undefined }))).toBeUndefined();
    await updateInstance(notifier, uuid, valuesFor(receiver.url, secrets));
    expect(await authorizationAfter(valuesFor(receiver.url.replace('hook', 'other')))).toBeUndefined();
  });

  it('is rejected with all problems', async () => {
    const { status, words } = await rejectionOf(
      createInstance(notifier, {
        ...valuesFor('ftp://example.com'),
        [WEBHOOK.secret]: { secret: 'short' },
        [WEBHOOK.headers]: 'Authorization: x',
        [WEBHOOK.trustAnchors]: 'nothing',
        [WEBHOOK.consoleUrl]: 'nothing',
      }),
    );
    expect(status).toBe(422);
    for (const part of [
      'URL: must be a URL',
      'Signing secret: ',
      'authorization cannot be set here',
      'Trusted CA certificates: ',
      'Console URL: ',
    ])
      expect(words).toContain(part);
    expect(words).not.toContain('short');
  });
});
