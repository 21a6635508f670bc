// Issues certificates in process with many concurrent calls, and prints the number of certificates per second and this
// process's CPU time per certificate. Requires a PostgreSQL server: DATABASE_URL=postgres://… node issue-throughput.ts
// [count] [concurrency]
import { randomBytes, randomUUID } from 'node:crypto';
import { invoke, startConnector } from '@signetry/connector-sdk';
import { authorityProviderOperations as operations, type RequestAttributeDto } from '@signetry/contract';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  signatureAlgorithm,
  subjectAltNameExtension,
  toBase64,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import pg from 'pg';
import { PROFILE, softwareAuthority } from '../src/index.ts';
import { testContext } from '../src/testing/test-context.ts';

const COUNT = Number(process.argv[2] ?? 10_000);
const CONCURRENCY = Number(process.argv[3] ?? 32);
/** Number of CSRs to create in advance. Each is used multiple times, so that CSR creation is not measured. */
const REQUESTS = 2000;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4 });
const context = testContext(pool, { sealingKey: randomBytes(32) });

const value = (
  name: string,
  contentType: 'string' | 'text' | 'integer' | 'boolean',
  data: unknown,
): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType,
  content: [{ data }],
});
const profile = [
  value(PROFILE.validityDays, 'integer', 90),
  value(PROFILE.backdateMinutes, 'integer', 1),
  value(PROFILE.minRsaBits, 'integer', 2048),
  value(PROFILE.copySubject, 'boolean', true),
  value(PROFILE.commonNameAsAltName, 'boolean', true),
  value(PROFILE.crlUrls, 'text', 'http://127.0.0.1:8080/crl/0193f0a2-0000-7000-8000-000000000001.crl'),
  value(PROFILE.ocspUrls, 'text', 'http://127.0.0.1:8080/ocsp/0193f0a2-0000-7000-8000-000000000001'),
  value(PROFILE.caIssuersUrls, 'text', 'http://127.0.0.1:8080/ca/0193f0a2-0000-7000-8000-000000000001.crt'),
];

async function makeRequest(index: number): Promise<string> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = signatureAlgorithm('SHA256withECDSA');
  const name = `host-${index}.example.com`;
  const info = buildCertificationRequestInfo({
    subject: buildName([{ type: 'CN', value: name }]),
    spki,
    extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: name }])],
  });
  return toBase64(
    assembleCertificationRequest(info, {
      algorithm,
      signature: nodeCrypto.sign(privateKey, { algorithm, data: info }),
    }),
  );
}

const running = await startConnector(softwareAuthority, context);
const { uuid } = await invoke(running, operations.createAuthorityInstance, {
  body: { name: 'Bench', kind: 'SoftwareCA', attributes: [] },
});
const requests = await Promise.all(Array.from({ length: REQUESTS }, (_, index) => makeRequest(index)));

async function run(count: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) {
        const request = requests[next++ % REQUESTS] ?? '';
        await invoke(running, operations.issueCertificate, {
          params: { uuid },
          body: { request, format: 'pkcs10', raProfileAttributes: profile, attributes: [] },
          idempotencyKey: randomUUID(),
        });
      }
    }),
  );
}

await run(2000);
const cpu = process.cpuUsage();
const started = performance.now();
await run(COUNT);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
console.log(
  `${Math.round(COUNT / seconds)}/s with ${CONCURRENCY} concurrent; ${((user + system) / COUNT).toFixed(0)} µs CPU time of this process each`,
);
await pool.end();
