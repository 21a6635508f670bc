import {
  checkConnector,
  inProcessTransport,
  httpTransport,
  type ConformanceReport,
} from '@signetry/connector-conformance';
import { developmentContext, invoke, isConnectorError, serveConnector, startConnector } from '@signetry/connector-sdk';
import { complianceProviderOperations as first, complianceProviderV2Operations as second } from '@signetry/contract';
import { parsePublicKey, toBase64 } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { rules } from './catalog.ts';
import { KIND } from './declaration.ts';
import { attributeUuid, groupUuid, ruleUuid } from './identifiers.ts';
import { x509Rules } from './index.ts';

const running = await startConnector(x509Rules, developmentContext());
const params = { kind: KIND };
let p256: string;
let rsa: string;

beforeAll(async () => {
  p256 = toBase64((await generateKeyPair('P-256')).spki);
  rsa = toBase64((await generateKeyPair('RSA-2048')).spki);
});

const keyRequest = (data: string, more: object) =>
  ({ resource: 'keys', data, rules: [], groups: [], ...more }) as const;
const check = (body: object) =>
  invoke(running, second.checkCompliance, { params, body: body as never }).then(({ status, rules: results }) => ({
    status,
    results: Object.fromEntries(results.map(({ name, status: each }) => [name, each])),
  }));
const bits = (value: number) => [
  {
    uuid: attributeUuid('key-rsa-size', 'data_minBits'),
    name: 'data_minBits',
    contentType: 'integer',
    content: [{ data: value }],
  },
];

describe('the connector', () => {
  it('conforms to the interface, both in process and over HTTP', async () => {
    const failedResults = ({ results }: ConformanceReport) =>
      results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notOffered');
    expect(failedResults(await checkConnector({ transport: inProcessTransport(running) }))).toEqual([]);
    const served = await serveConnector(x509Rules, { context: developmentContext() });
    try {
      expect(failedResults(await checkConnector({ transport: httpTransport(served.url) }))).toEqual([]);
    } finally {
      await served.close();
    }
  });

  it('has stable identifiers', () => {
    expect(ruleUuid('serial-positive')).toBe('58226cf1-2c9d-5cb6-8857-310f28f53f70');
    expect(groupUuid('tls-baseline')).toBe('87e1549b-d41c-51c4-998f-c367043dd60f');
    expect(new Set(rules.map(({ shown }) => shown.uuid)).size).toBe(rules.length);
  });

  it('exposes only certificate rules to v1 platforms', async () => {
    const listed = await invoke(running, first.listRules, { params });
    expect(listed.length).toBeGreaterThan(200);
    expect(listed.every(({ name }) => !name.startsWith('request-') && !name.startsWith('key-rsa'))).toBe(true);
  });

  it('checks keys by group, and accepts values for their limits', async () => {
    expect(parsePublicKey(Buffer.from(p256, 'base64')).family).toBe('ECDSA');
    const group = { groups: [groupUuid('token-keys')] };
    const { status, results } = await check(keyRequest(rsa, group));
    expect([status, results['key-rsa-size'], results['key-post-quantum']]).toEqual(['nok', 'ok', 'nok']);
    const asked = { rules: [{ uuid: ruleUuid('key-rsa-size'), attributes: bits(3072) }] };
    expect((await check(keyRequest(rsa, asked))).results).toEqual({ 'key-rsa-size': 'nok' });
    expect((await check(keyRequest(p256, asked))).results).toEqual({ 'key-rsa-size': 'ok' });
  });

  it('reports rules that do not exist or apply to other objects', async () => {
    const uuid = '01234567-89ab-4def-8123-456789abcdef';
    const { status, results } = await check(
      keyRequest(p256, { rules: [{ uuid }, { uuid: ruleUuid('serial-positive') }] }),
    );
    expect([status, results]).toEqual(['nok', { [uuid]: 'not_available', 'serial-positive': 'na' }]);
  });

  it.each([
    [
      'a limit out of its range',
      () => keyRequest(rsa, { rules: [{ uuid: ruleUuid('key-rsa-size'), attributes: bits(1) }] }),
      'key-rsa-size: ',
    ],
    ['bytes that are not a key', () => keyRequest('AAAA', {}), 'The key cannot be parsed: '],
    [
      'an unsupported resource',
      () => ({ ...keyRequest(rsa, {}), resource: 'users' }),
      'No rules exist for the resource users.',
    ],
    [
      'an object of an unspecified kind',
      () => ({ data: rsa, rules: [], groups: [] }),
      'The request does not specify the kind of object.',
    ],
  ])('rejects %s', async (_what, body, words) => {
    const refusal: unknown = await check(body()).catch((error: unknown) => error);
    expect(isConnectorError(refusal) && [refusal.status, refusal.problems?.[0]]).toEqual([
      422,
      expect.stringContaining(words),
    ]);
  });
});
