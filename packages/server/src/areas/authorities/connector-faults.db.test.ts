// Authorities over a connection with all kinds of faults: the status returned to callers, and the outcome of the call.
import { authorityOperations, type Operation } from '@signetry/contract';
import { startFaultProxy, type Fault, type FaultOptions, type FaultProxy } from '@signetry/testkit/fault-proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { restForms } from '../../platform/http/render-error.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { infoOf, startFakeConnector, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import { createTestConnectors, newName, type TestConnectors } from '../connectors/testing/test-connectors.ts';
import { createAuthoritiesArea } from './index.ts';

/** Long enough for a busy machine, short enough for a test. */
const TIMEOUT_MS = 600;
const CREATE = '/v1/authorityProvider/authorities';

let test: TestConnectors;
let area: ReturnType<typeof createAuthoritiesArea>;
let fake: FakeConnector;
let proxy: FaultProxy;
let connectorUuid: string;

beforeAll(async () => {
  test = await createTestConnectors({}, { callTimeoutMs: TIMEOUT_MS });
  const { platform, audit, area: connectors } = test;
  area = createAuthoritiesArea(platform, { audit, attributes: createAttributeEngine(platform), connectors });
});
afterAll(() => test.area.stop?.());

/** Starts a connector behind a proxy; without `features` it does not support idempotency keys. */
async function connect(features: string[]): Promise<void> {
  fake = await startFakeConnector();
  fake.on('GET /v1', { body: [infoOf('authorityProvider', ['Fake'], features)] });
  rememberByKey();
  proxy = await startFaultProxy(fake.url);
  connectorUuid = await test.create({ url: proxy.url });
  disconnect = async () => {
    await proxy.close();
    await fake.close();
  };
}

let disconnect = async (): Promise<void> => undefined;
beforeEach(() => disconnect());
afterAll(() => disconnect());

/** Authorities at the connector, by idempotency key. */
let made: Map<string, { uuid: string; name: string }>;

function rememberByKey(): void {
  made = new Map();
  fake.on(`POST ${CREATE}`, ({ headers, body }) => {
    const key = String(headers['idempotency-key']);
    const instance = made.get(key) ?? { uuid: `made-${made.size + 1}`, name: (body as { name: string }).name };
    made.set(key, instance);
    return { body: { ...instance, attributes: [] } };
  });
}

async function create(): Promise<{ status: number; message: string; name: string; uuid?: string }> {
  const operation: Operation = authorityOperations.createAuthorityInstance;
  const route = area.routes?.find((each) => each.operation === operation);
  const name = newName();
  const body = { name, connectorUuid, kind: 'Fake', attributes: [] };
  const context = { ...coreContext('test'), audit: operation.audit };
  try {
    const answer = (await route?.handle({ params: {}, query: {}, body, context } as never)) as { uuid: string };
    return { status: 201, message: '', name, uuid: answer.uuid };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { status: restForms[error.code].status, message: error.message, name };
  }
}

const countAuthorities = async (): Promise<number> =>
  (await test.database.query('SELECT FROM authority WHERE connector_uuid = $1', [connectorUuid])).length;

const answer = (status: number, text = '', headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  afterWork: false,
  status,
  text,
  headers,
});

/** Fault, number of times, status returned to the caller, part of the message. */
const faults: readonly (readonly [string, Fault, FaultOptions, number, string])[] = [
  ['receives the request and does not respond', { kind: 'silence', afterWork: false }, {}, 503, 'did not respond within 0.6 s'],
  ['resets the connection', { kind: 'reset', afterWork: false }, {}, 503, 'the connection broke'],
  ['responds one byte at a time', { kind: 'drip', pauseMs: 100 }, {}, 503, 'did not respond within'],
  ['closes the connection during the response', { kind: 'cut' }, {}, 503, 'the connection broke'],
  ['sends a response that exceeds the size limit', { kind: 'swell', octets: 17 * 1024 * 1024 }, {}, 502, 'larger than 16 MiB'],
  ['responds with a web page', answer(200, '<html>welcome</html>', { 'content-type': 'text/html' }), {}, 502, 'its response to createAuthorityInstance is unusable: the body is not valid JSON'],
  ['responds with truncated JSON', answer(200, '{"uuid":'), {}, 502, 'its response to createAuthorityInstance is unusable: the body is not valid JSON'],
  ['responds with JSON that does not match the schema', answer(200, '[1]'), {}, 502, 'its response to createAuthorityInstance does not match the schema'],
  ['responds with an empty body', answer(200), {}, 502, 'its response to createAuthorityInstance does not match the schema'],
  ['responds with 500', answer(500, 'at Signer (/opt/secret)'), {}, 502, 'status 500'],
  ['responds with 503', answer(503), {}, 502, 'status 503'],
  ['redirects to an internal service', answer(302, '', { location: 'http://169.254.169.254/latest/' }), {}, 502, '(302)'],
  ['redirects to itself', answer(307, '', { location: '/elsewhere' }), {}, 502, '(307)'],
  ['responds with 404', answer(404), {}, 404, 'returned 404 (not found)'],
  ['responds with 400', answer(400), {}, 400, '(400)'],
  ['responds with 401', answer(401), {}, 400, '(401)'],
  ['responds with 429', answer(429), {}, 400, '(429)'],
  ['responds with 422 with reasons', answer(422, '["no such address"]'), {}, 422, 'no such address'],
  ['responds with 422 with an error', answer(422, '{"error":"no such address"}'), {}, 422, 'no such address'],
  ['responds with 422 without reasons', answer(422, '{"trace":"canary"}'), {}, 422, 'rejected the request.'],
]; // prettier-ignore

describe('an authority whose connector', () => {
  it.each(faults)('%s is rejected and not stored', async (_what, fault, options, status, text) => {
    await connect([]);
    proxy.inject('POST', CREATE, fault, options);
    const refusal = await create();
    expect(refusal).toMatchObject({ status, message: expect.stringContaining(text) as string });
    expect(refusal.message).not.toMatch(/secret|canary|169\.254/);
    expect(await countAuthorities()).toBe(0);
    // Calls with side effects are never retried on a connector without idempotency keys.
    expect(proxy.arrivals('POST', CREATE)).toBe(1);
    proxy.heal();
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe("an authority created without the platform's knowledge", () => {
  const lost: readonly (readonly [string, Fault])[] = [
    ['no response', { kind: 'silence', afterWork: true }],
    ['a reset', { kind: 'reset', afterWork: true }],
    ['a truncated response', { kind: 'cut' }],
    ['a response with status 500', { kind: 'answer', afterWork: true, status: 500 }],
    ['a response that does not match the schema', { kind: 'answer', afterWork: true, status: 200, text: '{}' }],
  ];
  it.each(lost)('is found by its idempotency key after %s, and exists once on each side', async (_what, fault) => {
    await connect(['idempotency']);
    proxy.inject('POST', CREATE, fault, { times: 1 });
    const { status, uuid } = await create();
    expect(status).toBe(201);
    expect(made.size).toBe(1);
    const [row] = await test.database.query('SELECT connector_authority_uuid FROM authority WHERE uuid = $1', [uuid]);
    expect(row).toEqual({ connector_authority_uuid: 'made-1' });
  });

  it.each(lost)(
    'is reported to the caller after %s if the connector does not support idempotency keys',
    async (_what, fault) => {
      await connect([]);
      proxy.inject('POST', CREATE, fault, { times: 1 });
      const { message, name } = await create();
      expect(message).toContain(`it may still have created the authority ${name}, which the platform has not recorded`);
      expect(message).toContain(
        'search for that name at the connector, and remove it there or choose a different name before you try again',
      );
      expect([...made.values()].map((each) => each.name)).toEqual([name]);
    },
  );

  it('is not mentioned if none was created', async () => {
    await connect([]);
    proxy.inject('POST', CREATE, { kind: 'answer', afterWork: false, status: 400 });
    expect((await create()).message).not.toMatch(/may (still )?have created/);
  });

  it('is requested at most three times', async () => {
    await connect(['idempotency']);
    proxy.inject('POST', CREATE, { kind: 'reset', afterWork: true });
    expect(await create()).toMatchObject({ status: 503 });
    expect(proxy.arrivals('POST', CREATE)).toBe(3);
    expect(made.size).toBe(1);
    expect(await countAuthorities()).toBe(0);
  });
});

describe('a read-only call', () => {
  const form = () =>
    test.call('getConnectorAttributes', {
      params: { uuid: connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' },
    });

  it('is retried once if the connection breaks', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', { kind: 'reset', afterWork: false }, { times: 1 });
    expect(await form()).toHaveLength(2);
    expect(proxy.arrivals('GET', '/attributes')).toBe(2);
    proxy.inject('GET', '/attributes', { kind: 'reset', afterWork: false });
    await expect(form()).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(proxy.arrivals('GET', '/attributes')).toBe(4);
  });

  it('is not retried after an error response or a timeout', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', answer(500));
    await expect(form()).rejects.toMatchObject({ code: 'connector_failed' });
    proxy.inject('GET', '/attributes', { kind: 'silence', afterWork: false });
    await expect(form()).rejects.toThrow('did not respond within 0.6 s');
    expect(proxy.arrivals('GET', '/attributes')).toBe(2);
  });

  it('over an intermittent connection does not open the circuit breaker', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', answer(503), { flapping: true });
    for (let at = 0; at < 20; at += 1) await form().catch(() => undefined);
    expect(await test.call('getConnectorCircuit', { params: { uuid: connectorUuid } })).toMatchObject({
      state: 'closed',
    });
    expect(proxy.forwardedTo('GET', '/attributes')).toHaveLength(10);
  });
});
