// A cryptography provider over plain HTTP whose key pairs use algorithms that the platform does not implement. It
// offers no secret keys. Its signatures are keyed hashes, so that it can verify them.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { functionGroupSpecifications } from '@signetry/contract';

/** SubjectPublicKeyInfo with the OID of Falcon-512, 1.3.9999.3.11. */
const falconKey = (): Buffer =>
  Buffer.concat([Buffer.from('3018300706052bce0f030b030d00', 'hex'), Buffer.from(randomUUID().slice(0, 12))]);

/** The public key is encoded as the provider chooses. */
const PUBLIC_KEYS: Readonly<Record<string, () => { format: string; value: Buffer }>> = {
  FALCON: () => ({ format: 'SubjectPublicKeyInfo', value: falconKey() }),
  MAYO: () => ({ format: 'Raw', value: Buffer.from(`MAYO ${randomUUID()}`) }),
};

const TOKENS = '/v1/cryptographyProvider/tokens';

interface Item {
  readonly data: string;
}
interface Body {
  readonly name?: string;
  readonly length?: number;
  readonly data: readonly Item[];
  readonly signatures: readonly Item[];
  readonly signatureAttributes: readonly unknown[];
  readonly createKeyAttributes: readonly { readonly name: string; readonly content: readonly Item[] }[];
}
type Reply = readonly [status: number, body?: unknown];

export interface AlgorithmProvider {
  readonly url: string;
  /** Signature attributes of each request. */
  readonly signatureAttributes: (readonly unknown[])[];
  close(): void;
}

const definition = (name: string) => ({
  version: 2,
  uuid: randomUUID(),
  name,
  type: 'data',
  contentType: 'string',
  properties: { label: name, visible: true, required: true, readOnly: false, list: false, multiSelect: false },
});

const ALGORITHM = definition('data_algorithm');

const info = [
  {
    functionGroupCode: 'cryptographyProvider',
    kinds: ['FUTURE'],
    endPoints: functionGroupSpecifications.cryptographyProvider.endpoints.map((endPoint) => ({
      uuid: randomUUID(),
      ...endPoint,
    })),
  },
];

const NOT_SUPPORTED: Reply = [
  501,
  { message: '', errors: [{ error: 'Secret keys are not supported.', type: 'NotSupportedException' }] },
];

export async function startAlgorithmProvider(): Promise<AlgorithmProvider> {
  const signatureAttributes: (readonly unknown[])[] = [];
  const server = createServer((request, response) => {
    void serve(request, response, signatureAttributes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has this address type.
  return {
    url: `http://127.0.0.1:${port}`,
    signatureAttributes,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  signatureAttributes: (readonly unknown[])[],
): Promise<void> {
  const { method = '', url = '' } = request;
  const body = method === 'GET' ? undefined : ((await json(request).catch(() => undefined)) as Body | undefined);
  if (body && 'signatureAttributes' in body) signatureAttributes.push(body.signatureAttributes);
  const [status, answer] = replyTo(`${method} ${url}`, body);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(answer === undefined ? '' : JSON.stringify(answer));
}

function replyTo(call: string, body: Body | undefined): Reply {
  if (call === 'GET /v1') return [200, info];
  if (call === 'GET /v1/health') return [200, { status: 'ok' }];
  if (call.includes('/keys/secret')) return call.endsWith('/validate') ? [404] : NOT_SUPPORTED;
  if (call.endsWith('/random/attributes') || call.endsWith('/random/attributes/validate')) return [404];
  if (call.endsWith('/attributes/validate')) return [200];
  if (call.endsWith('/keys/pair/attributes')) return [200, [ALGORITHM]];
  if (call.endsWith('/attributes')) return [200, []];
  if (call === `POST ${TOKENS}`) return [200, { uuid: randomUUID(), name: body?.name }];
  if (call.endsWith('/status')) return [200, { status: 'Activated' }];
  if (!body) return [204];
  return replyToUse(call, body);
}

function replyToUse(call: string, body: Body): Reply {
  if (call.endsWith('/random')) return [200, { data: Buffer.alloc(body.length ?? 0, 7).toString('base64') }];
  if (call.endsWith('/keys/pair')) return [200, keyPair(body.createKeyAttributes[0]?.content[0]?.data ?? '')];
  if (call.endsWith('/sign')) return [200, { signatures: body.data.map(({ data }) => ({ data: signatureOf(data) })) }];
  if (!call.endsWith('/verify')) return [204];
  const verifications = body.data.map(({ data }, index) => ({
    result: body.signatures[index]?.data === signatureOf(data),
  }));
  return [200, { verifications }];
}

const signatureOf = (data: string): string => createHmac('sha256', 'provider').update(data).digest('base64');

function keyPair(algorithm: string) {
  const { format, value } = PUBLIC_KEYS[algorithm]?.() ?? { format: 'Raw', value: Buffer.alloc(8) };
  const half = (type: string, facts: object) => ({
    uuid: randomUUID(),
    name: `${algorithm} ${type}`,
    association: algorithm,
    keyData: { type, algorithm, length: 512, metadata: [], ...facts },
  });
  return {
    publicKeyData: half('Public', { format, value: { value: value.toString('base64') } }),
    privateKeyData: half('Private', { format: 'Custom', value: { values: { handle: '17' } } }),
  };
}
