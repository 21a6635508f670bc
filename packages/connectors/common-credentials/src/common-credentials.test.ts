import { randomBytes } from 'node:crypto';
import {
  inProcess,
  overHttp,
  serveConnector,
  type CallConnector,
  type ConnectorContext,
  type ServedConnector,
} from '@signetry/connector-sdk';
import { connectorBaseOperations, type RequestAttributeDto } from '@signetry/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commonCredentials } from './index.ts';
import { KEY_STORE, TRUST_STORE } from './key-stores.ts';
import { keyStore, type KeyStore } from './testing/key-store.ts';

const warnings: string[] = [];
const storage: ConnectorContext['storage'] = {
  schema: 'unused',
  table: (name) => name,
  query: () => Promise.resolve([]),
  transaction: (work) => work(storage),
};
const context: ConnectorContext = {
  storage,
  seal: (plain) => plain,
  open: (sealed) => sealed,
  clock: { now: () => new Date() },
  randomBytes,
  log: {
    debug: () => undefined,
    info: () => undefined,
    warn: (_facts, message) => void warnings.push(message),
    error: () => undefined,
  },
};

let served: ServedConnector;
let store: KeyStore;
const PASSWORD = 'canary-ks';

beforeAll(async () => {
  served = await serveConnector(commonCredentials, { context, checkAnswers: true });
  store = await keyStore({ password: PASSWORD });
});
afterAll(() => served.close());

const text = (name: string, data: string): RequestAttributeDto => ({
  uuid: 'x',
  name,
  contentType: 'string',
  content: [{ data }],
});
const secret = (name: string, value: string): RequestAttributeDto => ({
  uuid: 'x',
  name,
  contentType: 'secret',
  content: [{ data: { secret: value } }],
});
const file = (name: string, bytes: Uint8Array): RequestAttributeDto => ({
  uuid: 'x',
  name,
  contentType: 'file',
  content: [{ data: { content: Buffer.from(bytes).toString('base64'), fileName: 'a.p12', mimeType: 'application/x-pkcs12' } }],
}); // prettier-ignore

const withKeyStore = (bytes: Uint8Array, password = PASSWORD, type = 'PKCS12') => [
  text(KEY_STORE.type, type),
  file(KEY_STORE.file, bytes),
  secret(KEY_STORE.password, password),
];
const withTrustStore = (bytes: Uint8Array, password = PASSWORD) => [
  ...withKeyStore(store.bytes),
  text(TRUST_STORE.type, 'PKCS12'),
  file(TRUST_STORE.file, bytes),
  secret(TRUST_STORE.password, password),
];

const transports: readonly (readonly [string, () => CallConnector])[] = [
  ['in process', () => inProcess(served.running, { checkAnswers: true })],
  ['over HTTP', () => overHttp(served.url)],
];

describe.each(transports)('common credentials %s', (_transport, caller) => {
  const call: CallConnector = (operation, given) => caller()(operation, given);
  const params = (kind: string) => ({ functionalGroup: 'credentialProvider' as const, kind });
  const evaluate = (kind: string, body: RequestAttributeDto[]) =>
    call(connectorBaseOperations.validateAttributes, { params: params(kind), body }).then(
      () => [],
      (error: { problems?: string[]; message: string }) => error.problems ?? [error.message],
    );

  it('declare different kinds than the published provider', async () => {
    const [group] = await call(connectorBaseOperations.listSupportedFunctions, {});
    expect(group).toMatchObject({
      functionGroupCode: 'credentialProvider',
      kinds: ['Basic', 'ApiKey', 'SoftKeyStore', 'BearerToken'],
    });
  });

  it.each([
    ['Basic', ['username', 'password']],
    ['ApiKey', ['apiKey']],
    ['BearerToken', ['token']],
    ['SoftKeyStore', [...Object.values(KEY_STORE), ...Object.values(TRUST_STORE)]],
  ])('define the attributes of %s', async (kind, names) => {
    const definitions = await call(connectorBaseOperations.listAttributeDefinitions, { params: params(kind) });
    expect(definitions.map(({ name }) => name)).toEqual(names);
  });

  it('reject unknown kinds', async () => {
    expect(await evaluate('Other', [])).toEqual([expect.stringContaining('has no kind "Other"')]);
  });

  it('accept complete values, and name missing or malformed ones', async () => {
    expect(await evaluate('Basic', [text('username', 'me'), secret('password', 'x')])).toEqual([]);
    expect(await evaluate('Basic', [text('username', 'me')])).toEqual([
      expect.stringContaining('(password) is required'),
    ]);
    expect(await evaluate('ApiKey', [secret('apiKey', 'k')])).toEqual([]);
    expect(await evaluate('BearerToken', [text('token', 'k')])).toEqual([expect.stringContaining('(token)')]);
  });

  it('open key stores and trust stores', async () => {
    expect(await evaluate('SoftKeyStore', withKeyStore(store.bytes))).toEqual([]);
    expect(await evaluate('SoftKeyStore', withTrustStore(store.bytes))).toEqual([]);
  });

  it.each([
    ['a wrong password', () => withKeyStore(store.bytes, 'wrong'), '(keyStorePassword) is not correct for the file.'],
    [
      'a file that is not a key store',
      () => withKeyStore(Buffer.from('not a key store')),
      '(keyStore) cannot be read as PKCS #12: ',
    ],
    ['an empty file', () => withKeyStore(new Uint8Array()), '(keyStore) is empty'],
    ['JKS as its type', () => withKeyStore(store.bytes, PASSWORD, 'JKS'), '(keyStoreType) must be PKCS12. Convert'],
    [
      'a JKS file',
      () => withKeyStore(Buffer.from('feedfeed00000002', 'hex')),
      'is a JKS key store, which is not supported.',
    ],
    ['a key store without a key', () => withKeyStore(store.withoutKey), 'does not contain a private key.'],
    [
      'a wrong trust store password',
      () => withTrustStore(store.bytes, 'no'),
      '(trustStorePassword) is not correct for the file.',
    ],
    [
      'a file that is not a trust store',
      () => withTrustStore(Buffer.from('x')),
      '(trustStore) cannot be read as PKCS #12: ',
    ],
  ])('report the problem with %s, and never quote a password', async (_what, given, words) => {
    const problems = await evaluate('SoftKeyStore', given());
    expect(problems).toEqual([expect.stringContaining(words)]);
    expect(problems.join()).not.toContain(PASSWORD);
  });

  it('accept an expired certificate, and log a warning', async () => {
    const expired = await keyStore({ password: PASSWORD, notAfterMs: Date.now() - 86_400_000 });
    warnings.length = 0;
    expect(await evaluate('SoftKeyStore', withKeyStore(expired.bytes))).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('The key store certificate expired on ')]);
  });
});
