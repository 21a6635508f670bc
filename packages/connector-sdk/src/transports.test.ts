// Both transports behave alike: every test runs in process and over HTTP.
import { connectorBaseOperations as base, featuresIn, FunctionGroupCode } from '@signetry/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConnectorError } from './connector-error.ts';
import { inProcess, overHttp, type CallConnector } from './http/http-transport.ts';
import { serveConnector, type ServedConnector } from './http/serve-connector.ts';
import { startConnector } from './start-connector.ts';
import { contextWithoutDatabase, sampleConnector } from './testing/sample-connector.ts';

const context = contextWithoutDatabase();
let served: ServedConnector;
beforeAll(async () => {
  served = await serveConnector(sampleConnector, { context, checkAnswers: true });
});
afterAll(() => served.close());

const params = { functionalGroup: FunctionGroupCode.enum.credentialProvider, kind: 'Sample' };
const userAttribute = (data: unknown) => ({
  uuid: 'u',
  name: 'data_user',
  contentType: 'string' as const,
  content: [{ data }],
});

describe.each<[string, () => CallConnector]>([
  ['in process', () => inProcess(served.running, { checkAnswers: true })],
  ['over HTTP', () => overHttp(served.url)],
])('a connector called %s', (_, transport) => {
  const rejectionOf = async (attempt: Promise<unknown>): Promise<ConnectorError> => {
    const error: unknown = await attempt.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof ConnectorError)) throw new Error('The call was not refused by the connector.');
    return error;
  };

  it('declares its function groups, endpoints with the published identifiers, and features', async () => {
    const [group] = await transport()(base.listSupportedFunctions, {});
    expect(group).toMatchObject({
      functionGroupCode: 'credentialProvider',
      kinds: ['Sample'],
    });
    expect(Object.keys(group ?? {})).toEqual(['functionGroupCode', 'kinds', 'endPoints']);
    expect(featuresIn(group?.endPoints ?? [])).toEqual(['idempotency']);
    expect(group?.endPoints).toContainEqual({
      uuid: 'eb159884-f7ee-457e-918c-5f7f6e2f2597',
      name: 'listAttributeDefinitions',
      context: '/v1/credentialProvider/{kind}/attributes',
      method: 'GET',
      required: true,
    });
    expect(group?.endPoints.map(({ context: path }) => path)).toContain('/v1/health');
  });

  it('reports its health', async () => {
    expect(await transport()(base.checkHealth, {})).toEqual({ status: 'ok' });
  });

  it('returns what the handler returns', async () => {
    const definitions = await transport()(base.listAttributeDefinitions, { params });
    expect(definitions.map(({ name }) => name)).toEqual(['data_user']);
  });

  it('returns nothing if the operation has no body', async () => {
    expect(await transport()(base.validateAttributes, { params, body: [userAttribute('anna')] })).toBeUndefined();
  });

  it('passes on the list of problems of a rejection', async () => {
    const error = await rejectionOf(transport()(base.validateAttributes, { params, body: [userAttribute('ANNA')] }));
    expect(error.status).toBe(422);
    expect(error.problems).toEqual(['"User name" (data_user): Lower-case letters only.']);
  });

  it('returns 404 with a message for an unknown kind', async () => {
    const error = await rejectionOf(
      transport()(base.listAttributeDefinitions, { params: { ...params, kind: 'Other' } }),
    );
    expect([error.status, error.message]).toEqual([404, 'Kind Other does not exist.']);
  });

  it('returns 400 for a body that does not match the schema', async () => {
    const error = await rejectionOf(transport()(base.validateAttributes, { params, body: [{ name: 1 }] as never }));
    expect(error.status).toBe(400);
    expect(error.message).toContain('contentType');
  });

  it('returns 400 for a missing body', async () => {
    expect((await rejectionOf(transport()(base.validateAttributes, { params }))).status).toBe(400);
  });

  it('returns 400 for an unknown function group', async () => {
    const strange = { ...params, functionalGroup: 'strange' as 'credentialProvider' };
    expect((await rejectionOf(transport()(base.listAttributeDefinitions, { params: strange }))).status).toBe(400);
  });

  it('returns 400 for an idempotency key that is too long', async () => {
    const call = { params, body: [userAttribute('anna')], idempotencyKey: 'k'.repeat(256) };
    expect((await rejectionOf(transport()(base.validateAttributes, call))).status).toBe(400);
  });

  it('returns the time after which to retry', async () => {
    const busy = { ...userAttribute('x'), name: 'data_busy' };
    const error = await rejectionOf(transport()(base.validateAttributes, { params, body: [busy] }));
    expect([error.status, error.message, error.retryAfterSeconds]).toEqual([503, 'Busy.', 90]);
    const other = await rejectionOf(transport()(base.validateAttributes, { params }));
    expect(other.retryAfterSeconds).toBeUndefined();
  });

  it('returns 500 without details if a handler fails, and keeps the cause for the log', async () => {
    const crash = { ...userAttribute('x'), name: 'data_crash' };
    const error = await rejectionOf(transport()(base.validateAttributes, { params, body: [crash] }));
    expect(error.status).toBe(500);
    expect(error.message).not.toContain('detail');
  });
});

describe('startConnector', () => {
  it('rejects a connector that lacks operations required by its function group', async () => {
    const hollow = { ...sampleConnector, create: () => ({ handlers: {} }) };
    await expect(startConnector(hollow, contextWithoutDatabase())).rejects.toThrow(
      '/v1/credentialProvider/{kind}/attributes',
    );
  });
});

describe('a served connector', () => {
  const send = (path: string, init?: RequestInit) => fetch(served.url + path, init);
  const path = '/v1/credentialProvider/Sample/attributes/validate';
  const post = (body: string, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });

  it('formats error bodies as the interface requires', async () => {
    const notFound = await send('/v1/credentialProvider/Other/attributes');
    expect([notFound.status, await notFound.json()]).toEqual([404, { message: 'Kind Other does not exist.' }]);
    const rejected = await post(JSON.stringify([]));
    expect([rejected.status, await rejected.json()]).toEqual([422, ['"User name" (data_user) is required.']]);
  });

  it('logs the cause of a failure', async () => {
    context.errors.length = 0;
    await post(JSON.stringify([{ ...userAttribute('x'), name: 'data_crash' }]));
    expect(JSON.stringify(context.errors, Object.getOwnPropertyNames(Error.prototype))).toBeDefined();
    expect(context.errors).toHaveLength(1);
  });

  it('returns 404 for unknown paths and 405 for other methods', async () => {
    expect((await send('/v2/nothing')).status).toBe(404);
    expect((await send(path, { method: 'PUT', body: '{}' })).status).toBe(405);
  });

  it('treats a double slash at the start of the path as a single slash', async () => {
    expect((await send('//v1/health')).status).toBe(200);
  });

  it('rejects bodies that are not JSON, are too deeply nested, too large or compressed, or have a different media type', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post('['.repeat(65) + ']'.repeat(65))).status).toBe(400);
    expect((await post('"\\"[[[["'.padEnd(20))).status).toBe(400);
    expect((await post('[]', { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await post('[]', { 'Content-Type': 'text/plain' })).status).toBe(415);
    const large = await post(`"${'x'.repeat(17 * 1024 * 1024)}"`).catch(() => undefined);
    expect(large?.status ?? 413).toBe(413);
  });

  it('treats a null member as absent, but rejects null as a list item', async () => {
    const given = {
      ...userAttribute('ANNA'),
      reference: null,
      content: [{ reference: null, data: 'anna' }],
      ['__proto__']: null,
    };
    expect((await post(JSON.stringify([given]))).status).toBe(200);
    const answered = await post(JSON.stringify([{ ...userAttribute('x'), content: [null] }]));
    expect([answered.status, await answered.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('content') },
    ]);
  });

  it('accepts nesting up to the limit, and brackets inside strings', async () => {
    expect((await post(JSON.stringify([userAttribute('[[{'.repeat(100))]))).status).toBe(422);
  });

  it('checks authorization before anything else', async () => {
    const guarded = await serveConnector(sampleConnector, {
      context: contextWithoutDatabase(),
      authorize: ({ headers }) => headers.authorization === 'Bearer let-me-in',
    });
    try {
      expect((await fetch(`${guarded.url}/v1`)).status).toBe(401);
      expect((await fetch(`${guarded.url}/v1`, { headers: { Authorization: 'Bearer let-me-in' } })).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});
