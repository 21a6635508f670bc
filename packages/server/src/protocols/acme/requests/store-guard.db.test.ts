import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { Database, type ConnectionFacts } from '../../../platform/database/database.ts';
import { nonceUse } from './authenticate.ts';
import type { AccountCall } from './call.ts';
import { guardStatement } from './store-guard.ts';

let connection: ConnectionFacts;
let database: Database;

beforeAll(async () => {
  ({ connection, database } = await testDatabaseWithConnection());
});

/** Creates a request with a nonce, for an account that need not exist. */
const callWith = (nonce: string): AccountCall =>
  ({
    nonce: nonceUse(nonce),
    account: { accountId: 'none', key: { thumbprint: 'none' } },
    profile: { version: 1 },
  }) as unknown as AccountCall; // The only properties that a guarded statement reads.

describe('guarded statements', () => {
  it('never block each other, regardless of the order in which two nodes receive the same nonces', async () => {
    const nodes = [1, 2].map(() => new Database({ connection, onError: () => undefined }));
    const statements = nodes.map(({ relaxed }, index) =>
      guardStatement<object, object>(relaxed, {
        name: `test_guarded_${index}`,
        fields: 'target uuid',
        columns: 'item.target',
        join: '',
      }),
    );
    const outcomes: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const nonces = Array.from({ length: 64 }, newUuid);
      const asked = statements.flatMap((run, index) =>
        (index === 0 ? nonces : nonces.toReversed()).map((nonce) => run(callWith(nonce), {})),
      );
      for (const outcome of await Promise.allSettled(asked))
        outcomes.push(outcome.status === 'rejected' ? String(outcome.reason) : 'done');
    }
    // Of two requests with the same nonce, the first proceeds to the account check.
    const counts = Map.groupBy(outcomes, (outcome) => outcome.replace(/:.*/, ''))
      .values()
      .map(({ length }) => length);
    expect(counts.toArray()).toEqual([1280, 1280]);
    // Connections report their statistics when they close.
    await Promise.all(nodes.map((node) => node.close()));
    await vi.waitFor(async () => {
      expect(
        await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        ),
      ).toEqual([]);
    });
    const [row] = await database.query<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(row?.deadlocks).toBe(0);
  });
});
