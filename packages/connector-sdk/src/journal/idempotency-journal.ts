// Ensures that an effect happens only once per idempotency key: the prepared data is committed before the effect, and a
// repeated call returns the first call's result. For connectors whose own tables do not already ensure this.
import { createHash } from 'node:crypto';
import { rejected } from '../connector-error.ts';
import type { ConnectorMigration } from '../connector.ts';
import type { ConnectorStorage } from '../storage/storage.ts';

export interface JournaledCall {
  readonly operation: string;
  /** Without a key, the call is performed but not recorded. */
  readonly key: string | undefined;
  /** The whole request. A different request with the same key is rejected. Only the digest is stored. */
  readonly request: unknown;
}

export interface JournaledSteps<Prepared, Result> {
  /**
   * Chooses everything that the effect depends on (numbers, names, times). Stored as JSON, so it must not contain
   * secrets.
   */
  prepare(): Promise<Prepared> | Prepared;
  /**
   * Performs the effect. Runs again with the same `prepared` if its result was not recorded, and must then produce the
   * same outcome.
   */
  perform(prepared: Prepared): Promise<Result> | Result;
}

export interface IdempotencyJournal {
  /** The prepared data and the result are both stored and returned as JSON. */
  carryOut<Prepared, Result>(call: JournaledCall, steps: JournaledSteps<Prepared, Result>): Promise<Result>;
}

const TABLE = 'idempotency_journal';

/** Table of the journal; list it among the connector's migrations. */
export const idempotencyJournalMigration: ConnectorMigration = {
  name: 'idempotency-journal',
  sql: (schema) => `
    CREATE TABLE ${schema}.${TABLE} (
      operation text NOT NULL,
      key text NOT NULL,
      request_digest bytea NOT NULL,
      prepared jsonb NOT NULL,
      result jsonb,
      finished boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (operation, key)
    );
    COMMENT ON TABLE ${schema}.${TABLE} IS 'Calls under an idempotency key: what was prepared before the effect, and the result';`,
};

interface JournalRow<Prepared, Result> {
  readonly request_digest: Uint8Array;
  readonly prepared: Prepared;
  readonly result: Result;
  readonly finished: boolean;
}

export function createIdempotencyJournal(storage: ConnectorStorage): IdempotencyJournal {
  const table = storage.table(TABLE);
  const underWay = new Map<string, Promise<unknown>>();

  async function executeOnce<Prepared, Result>(
    call: JournaledCall & { readonly key: string },
    steps: JournaledSteps<Prepared, Result>,
  ): Promise<Result> {
    const digest = createHash('sha256')
      .update(JSON.stringify(call.request) ?? '')
      .digest();
    const entry =
      (await find<Prepared, Result>(call)) ?? (await begin(call, { digest, prepared: await steps.prepare() }));
    if (!Buffer.from(entry.request_digest).equals(digest)) {
      throw rejected(`The idempotency key ${call.key} was already used for a different request.`);
    }
    if (entry.finished) return entry.result;
    const result = await steps.perform(entry.prepared);
    await storage.query(
      `UPDATE ${table} SET result = $3, finished = true WHERE operation = $1 AND key = $2 AND NOT finished`,
      [call.operation, call.key, JSON.stringify(result ?? null)],
      { name: 'idempotency_finish' },
    );
    return result;
  }

  async function find<Prepared, Result>(call: JournaledCall): Promise<JournalRow<Prepared, Result> | undefined> {
    const [row] = await storage.query<JournalRow<Prepared, Result>>(
      `SELECT request_digest, prepared, result, finished FROM ${table} WHERE operation = $1 AND key = $2`,
      [call.operation, call.key],
      { name: 'idempotency_find' },
    );
    return row;
  }

  /** The first insert determines the prepared data; all other calls use it. */
  async function begin<Prepared, Result>(
    call: JournaledCall,
    entry: { readonly digest: Uint8Array; readonly prepared: Prepared },
  ): Promise<JournalRow<Prepared, Result>> {
    await storage.query(
      `INSERT INTO ${table} (operation, key, request_digest, prepared) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [call.operation, call.key, entry.digest, JSON.stringify(entry.prepared ?? null)],
      { name: 'idempotency_begin' },
    );
    const row = await find<Prepared, Result>(call);
    if (!row) throw new Error(`The journal entry of ${call.operation} for key ${call.key} is missing.`);
    return row;
  }

  return {
    async carryOut<Prepared, Result>(call: JournaledCall, steps: JournaledSteps<Prepared, Result>): Promise<Result> {
      const { key } = call;
      if (key === undefined) return steps.perform(await steps.prepare());
      // Concurrent calls in this process wait for each other, so the second one finds the result.
      const slot = `${call.operation} ${key}`;
      const earlier = underWay.get(slot) ?? Promise.resolve();
      const own = earlier.catch(() => undefined).then(() => executeOnce<Prepared, Result>({ ...call, key }, steps));
      underWay.set(slot, own);
      try {
        return await own;
      } finally {
        if (underWay.get(slot) === own) underWay.delete(slot);
      }
    },
  };
}
