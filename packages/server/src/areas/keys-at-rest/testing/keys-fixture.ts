// Nodes with separate key files on one database, and a table of sealed values. The test runs the job.
import { Writable } from 'node:stream';
import { keysAtRestOperations } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { coreContextFor } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createSealer } from '../../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createKeyNodes, type KeyFile } from '../nodes.ts';
import { retiredColumn } from '../retired-keys.ts';
import { declareRotation, ROTATION_QUEUE } from '../rotation.ts';
import { createKeysAtRestService } from '../service.ts';

/** Forms in which values are stored, as columns of one table. */
export const columns = (['bytes', 'base64', 'json'] as const).map((form): SealedColumn => ({
  table: 'sealed_sample',
  key: 'id',
  keyType: 'text',
  column: `in_${form}`,
  form,
  with: ['owner'],
  purpose: ({ id, owner }) => `sample ${id} of ${owner}`,
}));

/** Returns a database with the sample table, and without registered keys. */
export async function keysDatabase(): Promise<Database> {
  const database = await testDatabase();
  await database.query(
    'CREATE TABLE sealed_sample (id text PRIMARY KEY, owner text, in_bytes bytea, in_base64 text, in_json jsonb)',
  );
  return database;
}

/** Deletes everything except the audit records. */
export async function forgetAll(database: Database): Promise<void> {
  for (const table of ['sealing_key', 'sealing_node', 'sealing_rotation', 'retired_key', 'sealed_sample'])
    await database.query(`DELETE FROM ${table}`);
}

export interface NodeFacts {
  /** Keys in the node's file. */
  readonly keys: Uint8Array[];
  /** Whether the platform created the file. */
  readonly isOwn?: boolean;
  readonly faultPoint?: () => void;
}

interface DeclaredJob {
  readonly name: string;
  readonly handle: (payload: object, facts: { signal: AbortSignal; jobId: string }) => Promise<void>;
}

/** Returns a job port that records jobs for the test to run. */
function recordedJobs() {
  const declared: DeclaredJob[] = [];
  const enqueued: object[] = [];
  const port = {
    declare: (facts: DeclaredJob) => void declared.push(facts),
    enqueue: async (_tx: unknown, _queue: string, payload: object) => void enqueued.push(payload),
    wake: () => undefined,
  };
  /** Runs the most recently enqueued job; can be called repeatedly. */
  const run = async (signal = new AbortController().signal): Promise<void> => {
    const job = declared.find(({ name }) => name === ROTATION_QUEUE);
    await job?.handle(enqueued.at(-1) ?? {}, { signal, jobId: 'job' });
  };
  return { port: port as never, enqueued, run }; // All members that this area calls.
}

function recordedLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  return { lines, log: createLogger({ level: 'info', destination }) };
}

export type TestNode = ReturnType<typeof createTestNode>;

/**
 * Creates a node as the program does at startup: its key ring contains the keys in its file, and seals with the first
 * one.
 */
export function createTestNode(database: Database, { keys, isOwn = true, faultPoint }: NodeFacts) {
  const { lines, log } = recordedLog();
  const { port: jobs, enqueued, run } = recordedJobs();
  const ring = createSealer(keys);
  const facts = { nodeId: newUuid(), sealer: ring, log, jobs, ...(faultPoint ? { faultPoint } : {}) };
  const platform = testPlatform(database, facts);
  const file: KeyFile = {
    path: '/data/sealing.key',
    isOwn,
    read: async () => [...keys],
    add: async (key) => void keys.push(key),
  };
  const { trail: audit } = createAuditArea(platform);
  const nodes = createKeyNodes(platform, { ring, file });
  const all = () => [retiredColumn, ...columns];
  declareRotation(platform, { ring, nodes, columns: all, audit, settleMs: 0 });
  const service = createKeysAtRestService(platform, { ring, file, nodes, columns: all, audit });
  const context = () => coreContextFor(keysAtRestOperations.rotateKeysAtRest);
  return {
    nodeId: facts.nodeId,
    ring,
    keys,
    nodes,
    lines,
    enqueued,
    service,
    rotate: (keyId?: string) => service.rotate(keyId === undefined ? {} : { keyId }, context()),
    runJob: run,
  };
}

/** Returns a running node. */
export async function startTestNode(database: Database, facts: NodeFacts): Promise<TestNode> {
  const node = createTestNode(database, facts);
  await node.nodes.refresh();
  return node;
}

/** Returns the required keys and the newest rotation. */
export async function stateOf({ service }: Pick<TestNode, 'service'>) {
  const { keys, rotation } = await service.describe();
  return { needed: keys.filter(({ needed }) => needed).map(({ keyId }) => keyId), rotation };
}

/** Returns the newest audit record about sealing keys. */
export const lastAudited = (database: Database) =>
  database.query(
    `SELECT operation, operation_data FROM audit_record WHERE operation_data ? 'sealingKey' ORDER BY id DESC LIMIT 1`,
  );

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Stores a value in each form. */
export async function storeSample(database: Database, { ring }: Pick<TestNode, 'ring'>, id: string): Promise<void> {
  const sealed = () => Buffer.from(ring.seal(text(`secret ${id}`), `sample ${id} of alice`));
  await database.query(
    `INSERT INTO sealed_sample VALUES ($1, 'alice', $2, $3, jsonb_build_object('sealed', $4::text))`,
    [id, sealed(), sealed().toString('base64'), sealed().toString('base64')],
  );
}

interface Sample {
  readonly in_bytes: Buffer | null;
  readonly in_base64: string | null;
  readonly in_json: { readonly sealed: string } | null;
}

/** Returns the sealed values of a row, one in each form. */
export async function readSample(database: Database, id: string): Promise<Buffer[]> {
  const [row] = await database.query<Sample>('SELECT * FROM sealed_sample WHERE id = $1', [id]);
  return [
    row?.in_bytes ?? Buffer.alloc(0),
    Buffer.from(row?.in_base64 ?? '', 'base64'),
    Buffer.from(row?.in_json?.sealed ?? '', 'base64'),
  ];
}

/** Returns the values of a row, decrypted with the node's key ring. */
export const openSample = async (database: Database, { ring }: Pick<TestNode, 'ring'>, id: string): Promise<string[]> =>
  (await readSample(database, id)).map((sealed) => Buffer.from(ring.open(sealed, `sample ${id} of alice`)).toString());
