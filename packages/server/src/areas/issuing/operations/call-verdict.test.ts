// One row for each way in which a signing call can fail: from a real server, through the connector transport, to the
// verdict on the certificate.
import { authorityProviderOperations } from '@signetry/contract';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ConnectorError, handlersOf, type ConnectorErrorStatus } from '@signetry/connector-sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/errors.ts';
import { createEgressGate } from '../../../platform/net/egress.ts';
import { asAppError, CallFailure } from '../../connectors/call-failure.ts';
import { createHttpTransport } from '../../connectors/http-transport.ts';
import { createInProcessTransport } from '../../connectors/in-process-transport.ts';
import { startFakeConnector, type Behavior, type FakeConnector } from '../../connectors/testing/fake-connector.ts';
import type { CallOptions, Transport } from '../../connectors/transport.ts';
import { hadNoEffect, verdictOf, type CallVerdict } from './call-verdict.ts';

const { issueCertificate } = authorityProviderOperations;
const ISSUE = 'POST /v2/authorityProvider/authorities/*/certificates/issue';
const request = { params: { uuid: 'a' }, body: { request: 'AQID', raProfileAttributes: [], attributes: [] } };

let fake: FakeConnector;
const open: (() => unknown)[] = [];

beforeEach(async () => {
  fake = await startFakeConnector();
  open.push(() => fake.close());
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function transportTo(url: string): Transport {
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const dispatcher = egress.dispatcher({ connectTimeoutMs: 1_000 });
  open.push(() => dispatcher.destroy());
  return createHttpTransport({ url, egress, dispatcher, headers: () => ({}) });
}

/** Returns the verdict on a call that must fail, as the issuing worker receives it. */
async function verdictOfCall(transport: Transport, options: CallOptions = {}): Promise<CallVerdict> {
  const failure: unknown = await transport.call(issueCertificate, request, options).then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(CallFailure);
  return verdictOf(asAppError(failure as CallFailure, { connector: 'c', objectId: 'o' })); // Checked above.
}

/** Returns a port on which nothing listens any longer. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has such an address.
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns a port that accepts connections and never responds. */
async function silentPort(): Promise<number> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  return (server.address() as AddressInfo).port; // A listening TCP server has such an address.
}

const statuses = (first: number, last: number, except: readonly number[] = []): number[] =>
  Array.from({ length: last - first + 1 }, (_unused, index) => first + index).filter((each) => !except.includes(each));

describe('a signing call with the response status', () => {
  const NOT_NOW = [408, 409, 421, 423, 425, 429];
  const MOVED = [301, 307, 308];
  it.each([
    ...statuses(400, 451, NOT_NOW).map((status) => [status, 'refused'] as const),
    ...[499].map((status) => [status, 'refused'] as const),
    ...NOT_NOW.map((status) => [status, 'notReached'] as const),
    ...MOVED.map((status) => [status, 'refused'] as const),
    ...[300, 302, 303, 304, 305].map((status) => [status, 'unknown'] as const),
    [500, 'unknown'],
    [501, 'notReached'],
    ...statuses(502, 511).map((status) => [status, 'unknown'] as const),
    ...[520, 524, 599].map((status) => [status, 'unknown'] as const),
  ] as const)('%i is %s', async (status, verdict) => {
    fake.on(ISSUE, { status, ...(status === 304 ? {} : { body: { message: 'own words' } }) });
    expect(await verdictOfCall(transportTo(fake.url))).toBe(verdict);
  });
});

describe('a signing call that succeeds with an unusable response', () => {
  const answers: readonly (readonly [string, Behavior])[] = [
    ['nothing', { text: '' }],
    ['no content', { status: 204 }],
    ['no JSON', { text: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }],
    ['JSON that breaks off', { text: '{"certificateData":"AQ' }],
    ['JSON that nests without end', { text: '['.repeat(100_000) }],
    ['JSON of another form', { body: { certificateData: { der: 42 } } }],
    ['a list', { body: [] }],
    ['a body shorter than it says', 'truncate'],
    ['a body without end', 'endless'],
  ];
  it.each(answers)('(%s) is unknown', async (_what, answer) => {
    fake.on(ISSUE, answer);
    expect(await verdictOfCall(transportTo(fake.url))).toBe('unknown');
  });
});

describe('a signing call that gets no response', () => {
  const ways: readonly (readonly [string, CallVerdict, () => Promise<string>, CallOptions])[] = [
    ['for want of a listener', 'notReached', async () => `http://127.0.0.1:${await deadPort()}`, {}],
    ['for want of an address', 'notReached', async () => 'http://nowhere.invalid', {}],
    ['since the URL is not to be reached', 'notReached', async () => 'http://169.254.169.254', {}],
    ['since TLS meets plain HTTP', 'notReached', async () => fake.url.replace('http:', 'https:'), {}],
    ['since the TLS handshake hangs', 'notReached', async () => `https://127.0.0.1:${await silentPort()}`, { timeoutMs: 200 }],
    ['since a stop came before it', 'notReached', async () => fake.url, { signal: AbortSignal.abort() }],
    ['in time', 'unknown', async () => `http://127.0.0.1:${await silentPort()}`, { timeoutMs: 200 }],
  ]; // prettier-ignore
  it.each(ways)('%s is %s', async (_why, verdict, url, options) => {
    expect(await verdictOfCall(transportTo(await url()), options)).toBe(verdict);
  });

  it('because the connection is reset after the request was sent is unknown', async () => {
    fake.on(ISSUE, 'reset');
    expect(await verdictOfCall(transportTo(fake.url))).toBe('unknown');
  });

  it('because the platform stops in the meantime is unknown', async () => {
    const stop = new AbortController();
    fake.on(ISSUE, () => {
      stop.abort();
      return 'hang';
    });
    expect(await verdictOfCall(transportTo(fake.url), { signal: stop.signal })).toBe('unknown');
  });
});

describe('an in-process signing call', () => {
  const transport = (fault: unknown): Transport =>
    createInProcessTransport({
      connector: { name: 'test', functionGroups: [], migrations: [], create: () => ({ handlers: {} }) },
      handlers: handlersOf(authorityProviderOperations, { issueCertificate: () => Promise.reject(fault) }),
    });
  const byStatus: readonly (readonly [ConnectorErrorStatus, CallVerdict])[] = [
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [422, 'refused'],
    [500, 'unknown'],
    [501, 'notReached'],
    [503, 'notReached'],
  ];
  it.each(byStatus)('that fails in the connector with status %i is %s', async (status, verdict) => {
    expect(await verdictOfCall(transport(new ConnectorError(status, 'words')))).toBe(verdict);
  });

  it('that throws an unexpected error is unknown', async () => {
    expect(await verdictOfCall(transport(new TypeError('x')))).toBe('unknown');
  });
});

describe('a failure before or outside the call', () => {
  it.each([
    ['the platform refuses', new AppError('unavailable', { reason: 'x' }), 'notReached'],
    ['something else breaks', new TypeError('x'), 'unknown'],
  ] as const)('%s', (_name, cause, verdict) => {
    expect(verdictOf(cause)).toBe(verdict);
  });
});

describe('an operation', () => {
  it.each([
    ['refused', 1, true],
    ['refused', 2, true],
    ['notReached', 1, true],
    // An earlier attempt may have taken effect.
    ['notReached', 2, false],
    ['unknown', 1, false],
    ['unknown', 2, false],
  ] as const)('with the verdict %s in attempt %i certainly had no effect: %s', (verdict, attempts, expected) => {
    expect(hadNoEffect(verdict, attempts)).toBe(expected);
  });
});
