// A cryptography provider that lies: its responses are validated before they are passed on. It is the real provider on
// a separate port, behind a server that modifies its signature responses.
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { generateKeyPairSync, sign } from 'node:crypto';
import { startConnectorServer, type RunningConnectorServer } from '@signetry/server/connectors';
import { SIGNATURE_ATTRIBUTES } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from './testing/program.ts';
import {
  activate,
  ACTIVATION_CODE,
  createKey,
  createProfile,
  itemPath,
  secretValue,
  textValue,
  type TokenPath,
} from './testing/tokens.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const data = temporaryFolder();
let connector: RunningConnectorServer;
let liar: Server;
/** Modification of the signatures in a response. */
let changeSignatures = (signatures: readonly Signature[]): readonly Signature[] => signatures;
let path: TokenPath;

interface Signature {
  readonly data: string;
}

beforeAll(async () => {
  const options = {
    name: 'software-tokens',
    host: '127.0.0.1',
    port: 0,
    data,
    logLevel: 'silent',
    out: () => undefined,
  } as const;
  connector = await startConnectorServer(options);
  liar = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const target = new URL(url, connector.url);
    const passed = ask(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      void text(answer).then((body) => {
        const lies = url.endsWith('/sign') && answer.statusCode === 200;
        const said = lies ? lie(body) : body;
        response
          .writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? '' })
          .end(said);
      });
    });
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has this address type.
  path = await createTokenAt(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`);
});

afterAll(async () => {
  liar.close();
  liar.closeAllConnections();
  await connector.stop();
});

function lie(body: string): string {
  const { signatures } = JSON.parse(body) as { signatures: Signature[] }; // Provider response.
  return JSON.stringify({ signatures: changeSignatures(signatures) });
}

async function createTokenAt(url: string): Promise<TokenPath> {
  const { client } = server;
  const { uuid: connectorUuid } = await client.connectors.createConnector({
    body: { name: 'liar', url, authType: 'none' },
  });
  const attributes = [secretValue('data_activationCode', ACTIVATION_CODE)];
  const body = { name: 'lying', kind: 'SOFT', connectorUuid, attributes, customAttributes: [] };
  const { uuid: tokenInstanceUuid } = await client.tokens.createTokenInstance({ body });
  await activate(client, tokenInstanceUuid);
  return { tokenInstanceUuid, tokenProfileUuid: await createProfile(client, tokenInstanceUuid) };
}

const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const lies: readonly (readonly [string, typeof changeSignatures, RegExp])[] = [
  [
    'was generated with a different key',
    () => [{ data: sign('sha256', Buffer.from('hello'), otherKey).toString('base64') }],
    /cannot be verified with the public key/,
  ],
  [
    'is changed by one bit',
    ([one]) => [{ data: flipLastBit(one?.data ?? '') }],
    /cannot be verified with the public key/,
  ],
  ['is empty', () => [{ data: '' }], /cannot be verified with the public key/],
  ['is missing', () => [], /0 results for 1 data/],
  ['is returned twice', ([one]) => (one ? [one, one] : []), /2 results for 1 data/],
];

function flipLastBit(base64: string): string {
  const octets = Buffer.from(base64, 'base64');
  octets[octets.length - 1] = (octets.at(-1) ?? 0) ^ 1;
  return octets.toString('base64');
}

it.each(lies)('a signature that %s is not returned, and is recorded in the history', async (_what, change, words) => {
  const { client } = server;
  const key = await createKey(client, path, { specification: 'P-256' });
  const params = itemPath(path, key, 'Private');
  const body = {
    signatureAttributes: [textValue(SIGNATURE_ATTRIBUTES.digest.name, 'SHA-256')],
    data: [{ data: Buffer.from('hello').toString('base64') }],
  };
  changeSignatures = (signatures) => signatures;
  expect((await client.keyUse.signData({ params, body })).signatures).toHaveLength(1);
  changeSignatures = change;
  const refused = { status: 502, message: expect.stringMatching(words) };
  await expect(client.keyUse.signData({ params, body })).rejects.toMatchObject(refused);
  const [newest] = await client.keys.getKeyItemHistory({ params });
  expect(newest).toMatchObject({ event: 'Sign Data', status: 'FAILED', message: expect.stringMatching(words) });
});
