// For tests: audit chains of two nodes in a separate database, and tampering that requires only database permissions.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext } from '../../../kernel/actor.ts';
import { createSealer, newSealingKey } from '../../../platform/crypto/sealing.ts';
import type { Database } from '../../../platform/database/database.ts';
import { headMac, type ChainPosition } from '../chain.ts';
import { formatHead, parseHead, type SentHead } from '../chain-head.ts';
import { createExternalAuditSink } from '../external-sink.ts';
import { createAuditSealer, type AuditSealer } from '../sealer.ts';
import { createAuditKey } from '../store-key.ts';
import { createAuditTrail } from '../trail.ts';
import { verifyAudit } from '../verify-audit.ts';

export const NODE_A = '00000000-0000-7000-8000-00000000000a';
export const NODE_B = '00000000-0000-7000-8000-00000000000b';

export const changeOfGroup = {
  ...coreContext('r1'),
  audit: { module: 'core', resource: 'groups', operation: 'update' } as const,
};

export interface ChainNode {
  readonly write: (count: number) => Promise<void>;
  readonly sealer: AuditSealer;
  /** Returns the value of the tampering counter. */
  readonly metric: () => Promise<number>;
}

export async function createChainFixture() {
  const database = await testDatabase();
  const clock = createFakeClock();
  const secret = newSealingKey();
  const auditKey = () => createAuditKey({ database, sealer: createSealer([secret]) })();

  function node(nodeId: string): ChainNode {
    const platform = testPlatform(database, { nodeId, clock, sealer: createSealer([secret]) });
    const trail = createAuditTrail(platform);
    const write = async (count: number) => {
      const records = Array.from({ length: count }, (_, index) =>
        trail.record(changeOfGroup, { objects: [{ name: `o${index}` }], data: { index, ratio: 0.1 } }),
      );
      await database.transaction((tx) => trail.insertMany(tx, records));
    };
    const outside = createExternalAuditSink(platform, { endIntervalMs: 0 });
    const sealer = createAuditSealer(platform, { key: createAuditKey(platform), outside, endIntervalMs: 0 });
    const metric = async () => (await platform.metrics.auditTampering.get()).values[0]?.value ?? 0;
    return { write, sealer, metric };
  }

  /** Verifies the chain like a process that did not write it, or like one that remembers these positions. */
  async function verify(remembered: ReadonlyMap<string, ChainPosition> = new Map(), ends: readonly SentHead[] = []) {
    const key = await auditKey();
    return verifyAudit(database.executor, { key, now: clock.now(), remembered, ends });
  }

  /** Returns a node's audit log head as it is sent to external systems. */
  async function headOf({ sealer }: ChainNode): Promise<SentHead> {
    const place = sealer.remembered.get(NODE_A);
    if (!place) throw new Error('the node sealed nothing yet');
    const mac = headMac(await auditKey(), { node: NODE_A, place });
    const text = formatHead({ node: NODE_A, place, mac });
    const end = parseHead(text);
    if (!end) throw new Error(`${text} is no end`);
    return end;
  }

  return { database, clock, secret, auditKey, node, verify, endOf: headOf };
}

export const clearTrail = (database: Database): Promise<unknown> =>
  database.query(
    'TRUNCATE audit_record, audit_unsealed, audit_chain, audit_seal, audit_purge, audit_key RESTART IDENTITY',
  );

/** Tampers with database permissions only: removes all seals after a number with their records, and resets the head. */
export async function cut(
  database: Database,
  { nodeId, keep }: { readonly nodeId: string; readonly keep: number },
): Promise<void> {
  await database.query(
    `DELETE FROM audit_record WHERE id IN (SELECT unnest(audit_ids) FROM audit_seal WHERE node_id = $1 AND seal_number > $2)`,
    [nodeId, keep],
  );
  await database.query('DELETE FROM audit_seal WHERE node_id = $1 AND seal_number > $2', [nodeId, keep]);
  await database.query(
    `UPDATE audit_chain c SET seal_number = s.seal_number, next_sequence = s.first_sequence + cardinality(s.audit_ids),
       chain_value = s.chain_value FROM audit_seal s WHERE s.node_id = c.node_id AND s.seal_number = $2 AND c.node_id = $1`,
    [nodeId, keep],
  );
}
