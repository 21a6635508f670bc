import {
  authorityProviderOperations,
  connectorBaseOperations,
  cryptographyProviderOperations,
} from '@signetry/contract';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEgressGate, type EgressGate } from '../../platform/net/egress.ts';
import { callOutcome, type CallFailure } from './call-failure.ts';
import { startFakeConnector, type FakeConnector } from './testing/fake-connector.ts';
import { createHttpTransport, pathOf } from './http-transport.ts';
import type { CallOptions, Transport } from './transport.ts';

const { checkHealth } = connectorBaseOperations;
const { issueCertificate } = authorityProviderOperations;
const ISSUE = 'POST /v2/authorityProvider/authorities/*/certificates/issue';
const request = { params: { uuid: 'a' }, body: { request: 'AQID', raProfileAttributes: [], attributes: [] } };

let fake: FakeConnector;
const open: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  fake = await startFakeConnector();
  open.push(() => fake.close());
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const gate = (facts: { allowLoopback?: boolean; ownPort?: number } = {}): EgressGate =>
  createEgressGate({
    allowLoopback: facts.allowLoopback ?? true,
    allowedHosts: [],
    onlyHosts: [],
    isOwnListener: (_address, port) => port === facts.ownPort,
  });

function transportTo(url: string, egress = gate(), headers: Record<string, string> = {}): Transport {
  const dispatcher = egress.dispatcher({ connectTimeoutMs: 1_000 });
  open.push(() => dispatcher.destroy());
  return createHttpTransport({ url, egress, dispatcher, headers: () => headers });
}

const failure = async (call: Promise<unknown>): Promise<CallFailure> => {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (cause: unknown) => cause,
  );
  return error as CallFailure; // the expectations below read its members
};

const issue = (options: CallOptions = {}, transport = transportTo(fake.url)) =>
  failure(transport.call(issueCertificate, request, options));

describe('a call over HTTP', () => {
  it('sends the body, idempotency key and authentication, and returns the response as parsed by the schema', async () => {
    fake.on(ISSUE, { body: { certificateData: 'BAUG', meta: null, unknown: 1 } });
    const transport = transportTo(`${fake.url}/`, gate(), { 'X-API-KEY': 'k' });
    const answer = await transport.call(issueCertificate, request, { idempotencyKey: 'key-1' });
    expect(answer).toEqual({ certificateData: 'BAUG', certificateType: 'X.509' });
    const [call] = fake.callsTo(ISSUE);
    expect(call?.headers).toMatchObject({
      'idempotency-key': 'key-1',
      'x-api-key': 'k',
      'content-type': 'application/json',
    });
    expect(call?.body).toEqual(request.body);
  });

  it('encodes path parameters so that they cannot change other path segments', () => {
    const { listAttributeDefinitions } = connectorBaseOperations;
    const params = { functionalGroup: 'authorityProvider', kind: '../../v2/x?y#z' } as const;
    expect(pathOf(listAttributeDefinitions, { params })).toBe(
      '/v1/authorityProvider/..%2F..%2Fv2%2Fx%3Fy%23z/attributes',
    );
  });

  it('preserves the path in the connector URL', async () => {
    fake.on('GET /base/v1/health', { body: { status: 'ok' } });
    expect(await transportTo(`${fake.url}/base/`).call(checkHealth, {}, {})).toEqual({ status: 'ok' });
  });
});

describe('a failed call', () => {
  it('was certainly not carried out if nothing listens on the port', async () => {
    const { url } = fake;
    await fake.close();
    expect(await issue({}, transportTo(url))).toMatchObject({
      kind: 'unreachable',
      outcome: 'notCarriedOut',
      message: 'the connection was refused',
    });
  });

  it('was certainly not carried out if a TLS client connects to a plain HTTP port', async () => {
    const transport = transportTo(fake.url.replace('http:', 'https:'));
    expect(await issue({}, transport)).toMatchObject({ kind: 'unreachable', outcome: 'notCarriedOut' });
    expect(fake.calls).toEqual([]);
  });

  it('has an unknown outcome if the connection breaks after the request', async () => {
    fake.on(ISSUE, 'reset');
    expect(await issue()).toMatchObject({ kind: 'unreachable', outcome: 'unknown' });
    expect(fake.callsTo(ISSUE)).toHaveLength(1);
  });

  it('has an unknown outcome if the response is truncated', async () => {
    fake.on(ISSUE, 'truncate');
    expect(await issue()).toMatchObject({ kind: 'unreachable', outcome: 'unknown' });
  });

  it('has an unknown outcome if the response times out', async () => {
    fake.on(ISSUE, 'hang');
    const start = performance.now();
    expect(await issue({ timeoutMs: 200 })).toMatchObject({
      outcome: 'unknown',
      message: 'it did not respond within 0.2 s',
    });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('was not carried out if it timed out before the connection was established', async () => {
    // Never completes a TLS handshake.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push(() => silent.close());
    const { port } = silent.address() as AddressInfo; // a listening TCP server has an address of this type
    const failed = await issue({ timeoutMs: 200 }, transportTo(`https://127.0.0.1:${port}`));
    expect(failed).toMatchObject({ kind: 'unreachable', outcome: 'notCarriedOut' });
  });

  it('is aborted with its caller', async () => {
    const caller = new AbortController();
    fake.on(ISSUE, () => {
      caller.abort();
      return 'hang';
    });
    expect(await issue({ signal: caller.signal })).toMatchObject({
      kind: 'unreachable',
      outcome: 'unknown',
      message: 'the call was aborted',
    });
    expect(await issue({ signal: AbortSignal.abort() })).toMatchObject({ outcome: 'notCarriedOut' });
  });

  it('is aborted by a shutdown, after which no new call starts', async () => {
    const stop = new AbortController();
    const egress = gate();
    const dispatcher = egress.dispatcher();
    open.push(() => dispatcher.destroy());
    const transport = createHttpTransport({
      url: fake.url,
      egress,
      dispatcher,
      headers: () => ({}),
      giveUp: stop.signal,
    });
    fake.on(ISSUE, () => {
      stop.abort();
      return 'hang';
    });
    expect(await issue({}, transport)).toMatchObject({ outcome: 'unknown', message: 'the call was aborted' });
    expect(await issue({}, transport)).toMatchObject({ outcome: 'notCarriedOut' });
    expect(fake.callsTo(ISSUE)).toHaveLength(1);
  });

  it('has an unknown outcome if the response exceeds the size limit', async () => {
    fake.on(ISSUE, 'endless');
    expect(await issue()).toMatchObject({
      kind: 'failed',
      outcome: 'unknown',
      message: 'its response is larger than 16 MiB',
    });
  });

  it.each([
    ['text that is not JSON', { text: '<html>' }],
    ['JSON that does not match the schema', { body: { certificate: 'AQID' } }],
    ['JSON nested more than 64 levels deep', { text: '['.repeat(100_000) }],
    ['an empty body', { text: '' }],
  ])('has an unknown outcome if a success response contains %s', async (_what, answer) => {
    fake.on(ISSUE, answer);
    expect(await issue()).toMatchObject({ kind: 'failed', outcome: 'unknown' });
  });

  it('has no usable response if a list is expected and something other than JSON arrives', async () => {
    const list = cryptographyProviderOperations.listTokenInstances;
    const at = 'GET /v1/cryptographyProvider/tokens';
    fake.on(at, { text: '' });
    expect(await transportTo(fake.url).call(list, {}, {})).toEqual([]);
    for (const text of ['<html>Sign in</html>', '[{"uuid":"a"']) {
      fake.on(at, { text });
      expect(await failure(transportTo(fake.url).call(list, {}, {}))).toMatchObject({
        kind: 'failed',
        isAnswered: true,
      });
    }
  });

  it.each([
    [500, { kind: 'failed', outcome: 'unknown' }],
    [501, { kind: 'notOffered', outcome: 'notCarriedOut' }],
    [502, { kind: 'failed', outcome: 'unknown' }],
    [503, { kind: 'failed', outcome: 'unknown' }],
    [504, { kind: 'failed', outcome: 'unknown' }],
    [400, { kind: 'refused', outcome: 'notCarriedOut' }],
    [401, { kind: 'refused', outcome: 'notCarriedOut' }],
    [404, { kind: 'notFound', outcome: 'notCarriedOut' }],
  ])('classifies status %i', async (status, expected) => {
    fake.on(ISSUE, { status, body: { message: 'own\nmessage' } });
    expect(await issue()).toMatchObject({ ...expected, status, remoteMessage: 'own message' });
  });

  it('returns the number of seconds from the Retry-After header', async () => {
    const waitAfter = async (value: string) => {
      fake.on(ISSUE, { status: 503, headers: { 'retry-after': value }, body: {} });
      return (await issue()).retryAfterSeconds;
    };
    expect(await waitAfter('120')).toBe(120);
    expect(await waitAfter('Wed, 21 Oct 2026 07:28:00 GMT')).toBeUndefined();
  });

  it('passes on the problems of a 422 response, within limits', async () => {
    fake.on(ISSUE, { status: 422, body: ['first', 'x'.repeat(5_000), ...Array.from({ length: 500 }, () => 'more')] });
    const failed = await issue();
    expect(failed).toMatchObject({ kind: 'rejected', outcome: 'notCarriedOut' });
    expect(failed.problems.slice(0, 2)).toEqual(['first', 'x'.repeat(500)]);
    expect(failed.problems).toHaveLength(100);
  });

  it('does not follow redirects', async () => {
    fake.on(ISSUE, { status: 307, headers: { location: `${fake.url}/elsewhere` } });
    expect(await issue()).toMatchObject({ kind: 'refused', status: 307 });
    expect(fake.calls).toHaveLength(1);
  });

  it('is retried once if the connection broke and the operation changes nothing; otherwise, it is never retried', async () => {
    let times = 0;
    fake.on('GET /v1/health', () => (++times === 1 ? 'reset' : { body: { status: 'ok' } }));
    expect(await transportTo(fake.url).call(checkHealth, {}, {})).toEqual({ status: 'ok' });
    fake.on('GET /v1/health', 'reset');
    await expect(transportTo(fake.url).call(checkHealth, {}, {})).rejects.toMatchObject({ kind: 'unreachable' });
    expect(fake.callsTo('GET /v1/health')).toHaveLength(4);

    const CHAIN = 'POST /v1/authorityProvider/authorities/*/caCertificates';
    fake.on(CHAIN, () => (fake.callsTo(CHAIN).length === 1 ? 'reset' : { body: { certificates: [] } }));
    const { getCaCertificates, removeAuthorityInstance } = authorityProviderOperations;
    const chain = { params: { uuid: 'a' }, body: { raProfileAttributes: [] } };
    expect(await transportTo(fake.url).call(getCaCertificates, chain, {})).toEqual({ certificates: [] });

    // A second removal would return not found.
    fake.on('DELETE /v1/authorityProvider/authorities/*', 'reset');
    await failure(transportTo(fake.url).call(removeAuthorityInstance, { params: { uuid: 'a' } }, {}));
    expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/*')).toHaveLength(1);
  });

  it.each([
    ['a loopback address if that is not allowed', () => transportTo(fake.url, gate({ allowLoopback: false }))],
    ['a listener of the platform', () => transportTo(fake.url, gate({ ownPort: Number(new URL(fake.url).port) }))],
    ['a metadata address', () => transportTo('http://169.254.169.254')],
    [
      'a host name that resolves to a loopback address if that is not allowed',
      () => transportTo(fake.url.replace('127.0.0.1', 'localhost'), gate({ allowLoopback: false })),
    ],
    ['a file URL', () => transportTo('file:///etc/passwd')],
    ['a URL with credentials', () => transportTo(fake.url.replace('http://', 'http://user:pass@'))],
  ])('is not sent to %s', async (_what, transport) => {
    expect(await issue({}, transport())).toMatchObject({ kind: 'forbidden', outcome: 'notCarriedOut' });
    expect(fake.calls).toEqual([]);
  });

  it('is found in the cause chain of an error', async () => {
    fake.on(ISSUE, 'reset');
    const wrapped = new Error('outer', { cause: new Error('inner', { cause: await issue() }) });
    expect(callOutcome(wrapped)).toBe('unknown');
    expect(callOutcome(new Error('other'))).toBeUndefined();
  });
});
