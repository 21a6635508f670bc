// Signs over HTTP with a SoftHSM key and many concurrent calls, and prints the number of signatures per second. Needs a
// PostgreSQL server: DATABASE_URL=postgres://… node sign-throughput.ts [count] [concurrency] [algorithm]
import { randomBytes } from 'node:crypto';
import { createPostgresStorage, createSealing, overHttp, schemaNameOf, serveConnector } from '@signetry/connector-sdk';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import pg from 'pg';
import { pkcs11Tokens } from '../src/index.ts';
import { openSoftHsm, SOFT_HSM } from '../src/testing/soft-hsm.ts';
import { keyValues, pinValues, signatureValues, tokenValues } from '../src/testing/token-values.ts';

const COUNT = Number(process.argv[2] ?? 5_000);
const CONCURRENCY = Number(process.argv[3] ?? 32);
const ALGORITHM = process.argv[4] ?? 'P-256';
const [LABEL, PIN] = ['Bench', 'pin-of-the-bench'];

const softHsm = await openSoftHsm();
const serial = await softHsm.initToken(LABEL, PIN);
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4 });
const silent = () => undefined;
const served = await serveConnector(pkcs11Tokens, {
  context: {
    storage: createPostgresStorage(pool, { schema: schemaNameOf(pkcs11Tokens) }),
    ...createSealing(randomBytes(32)),
    clock: { now: () => new Date() },
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    libraries: { softhsm: SOFT_HSM },
  },
});
const call = overHttp(served.url);
const { uuid } = await call(operations.createTokenInstance, {
  body: { name: 'Bench', kind: 'PKCS11', attributes: tokenValues(serial, LABEL) },
});
await call(operations.activateTokenInstance, { params: { uuid }, body: pinValues(PIN) });
const { privateKeyData } = await call(operations.createKeyPair, {
  params: { uuid },
  body: { tokenProfileAttributes: [], createKeyAttributes: keyValues('bench', ALGORITHM) },
});
const scheme = ALGORITHM.startsWith('RSA') ? { scheme: 'PKCS1-v1_5' } : {};
const signatureAttributes = ALGORITHM.startsWith('Ed') ? [] : signatureValues({ ...scheme, digest: 'SHA-256' });
const body = { signatureAttributes, data: [{ data: randomBytes(1_000).toString('base64') }] };

async function run(count: number): Promise<number> {
  let left = count;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await call(operations.signData, { params: { uuid, keyUuid: privateKeyData.uuid }, body });
    }),
  );
  return count / ((performance.now() - startedMs) / 1000);
}

await run(500);
console.log(`${Math.round(await run(COUNT))} signatures/s with ${ALGORITHM}, ${CONCURRENCY} concurrent`);
await served.close();
await pool.end();
await softHsm.remove();
