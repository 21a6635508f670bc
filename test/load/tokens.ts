// Signatures with software tokens, within one process: the overhead of the provider over the signature itself.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  createPostgresStorage,
  createSealing,
  inProcess,
  schemaNameOf,
  startConnector,
  type CallConnector,
} from '@signetry/connector-sdk';
import {
  cryptographyProviderOperations as operations,
  SIGNATURE_ATTRIBUTES,
  type AttributeContentType,
  type RequestAttributeDto,
} from '@signetry/contract';
import { KEY, softwareTokens, TOKEN } from '@signetry/software-tokens';
import pg from 'pg';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

/** Data to sign, about the size of a certificate before it is signed. */
const DATA = randomBytes(600);

export async function benchTokens(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 3);
  const cluster = await startTestCluster();
  const { runDirectory, port, user, password } = cluster.facts;
  const pool = new pg.Pool({ host: runDirectory, port, user, password, database: TEMPLATE_DATABASE, max: 4 });
  pool.on('error', () => undefined); // Stopping the cluster closes its connections.
  try {
    const running = await startConnector(softwareTokens, {
      storage: createPostgresStorage(pool, { schema: schemaNameOf(softwareTokens) }),
      ...createSealing(randomBytes(32)),
      clock: { now: () => new Date() },
      randomBytes,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    return { name: 'Software tokens, in process', figures: await measure(inProcess(running), seconds), notes: NOTES };
  } finally {
    await pool.end();
    await cluster.stop();
  }
}

const ignore = (): void => undefined;

const NOTES = [
  'Sequential calls, then 32 concurrent calls. The overhead of the provider is the difference between the medians of rounds that alternate with direct signatures by node:crypto.',
];

async function measure(call: CallConnector, seconds: number): Promise<readonly Figure[]> {
  const attributes = [value(TOKEN.code, 'secret', { secret: 'a code of the benchmark' })];
  const activations: number[] = [];
  const { uuid } = await call(operations.createTokenInstance, { body: { name: 'bench', kind: 'SOFT', attributes } });
  for (let round = 0; round < 5; round += 1) {
    await call(operations.deactivateTokenInstance, { params: { uuid } });
    const began = performance.now();
    await call(operations.activateTokenInstance, { params: { uuid }, body: attributes });
    activations.push(performance.now() - began);
  }
  const bare = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signOnce = await signerOf(call, { token: uuid, specification: 'P-256', digest: 'SHA-256' });
  const rounds: { readonly bare: number; readonly call: number }[] = [];
  for (let round = 0; round < 20; round += 1)
    rounds.push({
      bare: await microseconds(() => sign('sha256', DATA, bare)),
      call: await microseconds(signOnce),
    });
  const bareMedian = median(rounds.map((round) => round.bare));
  const callMedian = median(rounds.map((round) => round.call));
  const others = await Promise.all(
    [
      { specification: 'RSA-2048', digest: 'SHA-256', scheme: 'PKCS1-v1_5' },
      { specification: 'ML-DSA-65' },
      { specification: 'Ed25519' },
    ].map(async (facts) => ({ ...facts, work: await signerOf(call, { token: uuid, ...facts }) })),
  );
  const figures: Figure[] = [
    { name: 'activation', value: median(activations), unit: 'ms' },
    { name: 'direct signature with P-256', value: bareMedian, unit: 'us' },
    { name: 'overhead of the provider', value: callMedian - bareMedian, unit: 'us', goal: '<= 150' },
    { name: 'P-256, sequential', value: 1_000_000 / callMedian, unit: '/s', goal: '>= 3000' },
    { name: 'P-256, 32 concurrent', value: await rate(signOnce, seconds), unit: '/s', goal: '>= 3000' },
  ];
  for (const { specification, work } of others)
    figures.push({ name: `${specification}, 32 concurrent`, value: await rate(work, seconds), unit: '/s' });
  return figures;
}

async function signerOf(
  call: CallConnector,
  facts: { token: string; specification: string; digest?: string; scheme?: string },
): Promise<() => Promise<unknown>> {
  const { token, specification, digest, scheme } = facts;
  const { privateKeyData } = await call(operations.createKeyPair, {
    params: { uuid: token },
    body: {
      tokenProfileAttributes: [],
      createKeyAttributes: [
        value(KEY.alias, 'string', specification),
        value(KEY.specification, 'string', specification),
      ],
    },
  });
  const signatureAttributes = [
    ...(scheme ? [value(SIGNATURE_ATTRIBUTES.scheme.name, 'string', scheme)] : []),
    ...(digest ? [value(SIGNATURE_ATTRIBUTES.digest.name, 'string', digest)] : []),
  ];
  const params = { uuid: token, keyUuid: privateKeyData.uuid };
  const body = { signatureAttributes, data: [{ data: DATA.toString('base64') }] };
  return () => call(operations.signData, { params, body });
}

const value = (name: string, contentType: AttributeContentType, data: unknown): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: [{ data }],
});

const CALLS_OF_ROUND = 200;

/** Returns the time of one call in microseconds. */
async function microseconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < CALLS_OF_ROUND; count += 1) await work();
  return ((performance.now() - began) * 1000) / CALLS_OF_ROUND;
}

/** Returns calls per second with 32 concurrent calls. */
async function rate(work: () => Promise<unknown>, seconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  const runSequentially = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1000) {
      await work();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 32 }, runSequentially));
  return (count * 1000) / (performance.now() - began);
}
