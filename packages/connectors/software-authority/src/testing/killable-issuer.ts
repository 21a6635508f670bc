// Process that issues certificates until it is killed, and reports started calls and results to its parent. Run by the
// kill test, with its settings in the environment.
import { randomUUID } from 'node:crypto';
import { invoke, startConnector } from '@signetry/connector-sdk';
import { authorityProviderOperations as operations } from '@signetry/contract';
import pg from 'pg';
import { softwareAuthority } from '../index.ts';
import { testContext } from './test-context.ts';
import { tokenHost, type HostedKey } from './token-host.ts';

interface KillableFacts {
  readonly connection: pg.PoolConfig;
  readonly authority: string;
  readonly sealingKey: string;
  readonly requests: readonly string[];
  /** Keys in a token of the host. */
  readonly tokenKeys: readonly HostedKey[];
}

/** Concurrent calls, so that the kill interrupts all stages. */
const CONCURRENCY = 16;

const facts = JSON.parse(process.env['KILLABLE_ISSUER'] ?? '') as KillableFacts; // Written by the test.
const pool = new pg.Pool({ ...facts.connection, max: 4 });
const sealingKey = Buffer.from(facts.sealingKey, 'hex');
const running = await startConnector(softwareAuthority, {
  ...testContext(pool, { sealingKey }),
  tokenKeys: tokenHost(facts.tokenKeys).tokenKeys,
});

async function issueForever(): Promise<never> {
  for (;;) {
    const number = Math.floor(Math.random() * facts.requests.length);
    const idempotencyKey = randomUUID();
    process.stdout.write(`asked ${idempotencyKey} ${number}\n`);
    const { certificateData } = await invoke(running, operations.issueCertificate, {
      params: { uuid: facts.authority },
      body: { request: facts.requests[number] ?? '', format: 'pkcs10', raProfileAttributes: [], attributes: [] },
      idempotencyKey,
    });
    process.stdout.write(`got ${idempotencyKey} ${certificateData}\n`);
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, issueForever));
