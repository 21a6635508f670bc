// Authorities behind a connection that fails in every way: the status that callers get, and what came of the call.
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

/** Long enough for a busy machine, short enough to wait for. */
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

/** A connector behind a proxy; without `features` it does not repeat results. */
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

/** What exists at the connector, by the key that it was made under. */
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

const known = async (): Promise<number> =>
  (await test.database.query('SELECT FROM authority WHERE connector_uuid = $1', [connectorUuid])).length;

const answer = (status: number, text = '', headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  afterWork: false,
  status,
  text,
  headers,
});

/** Fault, how often, the status for the caller, a part of the text. */
const faults: readonly (readonly [string, Fault, FaultOptions, number, string])[] = [
  ['takes the request and is silent', { kind: 'silence', afterWork: false }, {}, 503, 'did not answer within 0.6 s'],
  ['breaks the connection', { kind: 'reset', afterWork: false }, {}, 503, 'the connection broke'],
  ['answers one octet after the other', { kind: 'drip', pauseMs: 100 }, {}, 503, 'did not answer within'],
  ['breaks off', { kind: 'cut' }, {}, 503, 'the connection broke'],
  ['answers more than is taken', { kind: 'swell', octets: 17 * 1024 * 1024 }, {}, 502, 'larger than 16 MiB'],
  ['answers a web page', answer(200, '<html>welcome</html>', { 'content-type': 'text/html' }), {}, 502, 'form of the interface'],
  ['answers JSON that breaks off', answer(200, '{"uuid":'), {}, 502, 'form of the interface'],
  ['answers JSON of another form', answer(200, '[1]'), {}, 502, 'form of the interface'],
  ['answers nothing', answer(200), {}, 502, 'form of the interface'],
  ['answers 500', answer(500, 'at Signer (/opt/secret)'), {}, 502, 'status 500'],
  ['answers 503', answer(503), {}, 502, 'status 503'],
  ['redirects to a service inside', answer(302, '', { location: 'http://169.254.169.254/latest/' }), {}, 502, '(302)'],
  ['redirects to itself', answer(307, '', { location: '/elsewhere' }), {}, 502, '(307)'],
  ['answers 404', answer(404), {}, 404, 'returned 404 (not found)'],
  ['answers 400', answer(400), {}, 400, '(400)'],
  ['answers 401', answer(401), {}, 400, '(401)'],
  ['answers 429', answer(429), {}, 400, '(429)'],
  ['answers 422 with reasons', answer(422, '["no such address"]'), {}, 422, 'no such address'],
  ['answers 422 with an error', answer(422, '{"error":"no such address"}'), {}, 422, 'no such address'],
  ['answers 422 without reasons', answer(422, '{"trace":"canary"}'), {}, 422, 'refuses the request'],
]; // prettier-ignore

describe('an authority that is made while the connector', () => {
  it.each(faults)('%s is refused, and not known', async (_what, fault, options, status, text) => {
    await connect([]);
    proxy.inject('POST', CREATE, fault, options);
    const refusal = await create();
    expect(refusal).toMatchObject({ status, message: expect.stringContaining(text) as string });
    expect(refusal.message).not.toMatch(/secret|canary|169\.254/);
    expect(await known()).toBe(0);
    // What has an effect is never sent twice to a connector that does not repeat results.
    expect(proxy.arrivals('POST', CREATE)).toBe(1);
    proxy.heal();
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe('an authority that was made although the platform did not learn of it', () => {
  const lost: readonly (readonly [string, Fault])[] = [
    ['silence', { kind: 'silence', afterWork: true }],
    ['a reset', { kind: 'reset', afterWork: true }],
    ['an answer that breaks off', { kind: 'cut' }],
    ['an answer that says 500', { kind: 'answer', afterWork: true, status: 500 }],
    ['an answer of another form', { kind: 'answer', afterWork: true, status: 200, text: '{}' }],
  ];
  it.each(lost)('after %s is found by its key: one there, one here', async (_what, fault) => {
    await connect(['idempotency']);
    proxy.inject('POST', CREATE, fault, { times: 1 });
    const { status, uuid } = await create();
    expect(status).toBe(201);
    expect(made.size).toBe(1);
    const [row] = await test.database.query('SELECT connector_authority_uuid FROM authority WHERE uuid = $1', [uuid]);
    expect(row).toEqual({ connector_authority_uuid: 'made-1' });
  });

  it.each(lost)('after %s is told to the caller, where results are not repeated', async (_what, fault) => {
    await connect([]);
    proxy.inject('POST', CREATE, fault, { times: 1 });
    const { message, name } = await create();
    expect(message).toContain(`it may have created the authority ${name} all the same`);
    expect(message).toContain('look for that name at the connector');
    expect([...made.values()].map((each) => each.name)).toEqual([name]);
  });

  it('is not spoken of when nothing was made', async () => {
    await connect([]);
    proxy.inject('POST', CREATE, { kind: 'answer', afterWork: false, status: 400 });
    expect((await create()).message).not.toContain('may have created');
  });

  it('is asked for three times, and no more', async () => {
    await connect(['idempotency']);
    proxy.inject('POST', CREATE, { kind: 'reset', afterWork: true });
    expect(await create()).toMatchObject({ status: 503 });
    expect(proxy.arrivals('POST', CREATE)).toBe(3);
    expect(made.size).toBe(1);
    expect(await known()).toBe(0);
  });
});

describe('what only reads', () => {
  const form = () =>
    test.call('getConnectorAttributes', {
      params: { uuid: connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' },
    });

  it('is asked again after a broken connection, once', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', { kind: 'reset', afterWork: false }, { times: 1 });
    expect(await form()).toHaveLength(2);
    expect(proxy.arrivals('GET', '/attributes')).toBe(2);
    proxy.inject('GET', '/attributes', { kind: 'reset', afterWork: false });
    await expect(form()).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(proxy.arrivals('GET', '/attributes')).toBe(4);
  });

  it('is not asked again after a failure that the connector reported, or that took its time', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', answer(500));
    await expect(form()).rejects.toMatchObject({ code: 'connector_failed' });
    proxy.inject('GET', '/attributes', { kind: 'silence', afterWork: false });
    await expect(form()).rejects.toThrow('did not answer within 0.6 s');
    expect(proxy.arrivals('GET', '/attributes')).toBe(2);
  });

  it('and a connection that comes and goes opens no circuit', async () => {
    await connect([]);
    proxy.inject('GET', '/attributes', answer(503), { flapping: true });
    for (let at = 0; at < 20; at += 1) await form().catch(() => undefined);
    expect(await test.call('getConnectorCircuit', { params: { uuid: connectorUuid } })).toMatchObject({
      state: 'closed',
    });
    expect(proxy.forwardedTo('GET', '/attributes')).toHaveLength(10);
  });
});
