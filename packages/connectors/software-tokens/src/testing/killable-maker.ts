// Process that generates keys until it is killed, and reports started calls and results to its parent. Run by the kill
// test, with its settings in the environment.
import { randomUUID } from 'node:crypto';
import { invoke, startConnector } from '@signetry/connector-sdk';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import pg from 'pg';
import { softwareTokens } from '../index.ts';
import { pairBody } from './pair-body.ts';
import { testContext } from './test-context.ts';

interface KillableFacts {
  readonly connection: pg.PoolConfig;
  readonly token: string;
  readonly sealingKey: string;
}

/** Concurrent calls, so that the kill interrupts all stages. */
const CONCURRENCY = 8;

const facts = JSON.parse(process.env['KILLABLE_MAKER'] ?? '') as KillableFacts; // Written by the test.
const pool = new pg.Pool({ ...facts.connection, max: 4 });
const context = testContext(pool, { sealingKey: Buffer.from(facts.sealingKey, 'hex') });
const running = await startConnector(softwareTokens, context);

async function createKeysForever(): Promise<never> {
  for (;;) {
    const idempotencyKey = randomUUID();
    process.stdout.write(`asked ${idempotencyKey}\n`);
    const { privateKeyData } = await invoke(running, operations.createKeyPair, {
      params: { uuid: facts.token },
      body: pairBody(idempotencyKey),
      idempotencyKey,
    });
    process.stdout.write(`got ${idempotencyKey} ${privateKeyData.uuid}\n`);
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, createKeysForever));
