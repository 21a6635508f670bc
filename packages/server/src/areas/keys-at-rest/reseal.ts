// Reseals all values with the current key, in batches. This can be interrupted at any point and restarted, because
// finished values are recognized by the key ID that they contain.
import type { KeyRing } from '../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import * as store from './store.ts';
import { findStale, replaceSealed, type SealedRow } from './store-sealed.ts';

const BATCH = 100;

export interface ResealOptions {
  readonly platform: Pick<Platform, 'database' | 'log' | 'faultPoint'>;
  readonly ring: KeyRing;
  readonly columns: readonly SealedColumn[];
  readonly rotation: string;
  readonly signal: AbortSignal;
}

export async function resealAll(options: ResealOptions): Promise<void> {
  for (const column of options.columns) {
    let after: string | undefined;
    do after = await resealBatch(options, { column, after });
    while (after !== undefined);
  }
}

/** Reseals a batch. Returns its last row key, or undefined if it was the last batch. */
async function resealBatch(
  { platform, ring, rotation, signal }: ResealOptions,
  { column, after }: { readonly column: SealedColumn; readonly after: string | undefined },
): Promise<string | undefined> {
  signal.throwIfAborted();
  const keyId = ring.currentKeyId();
  const rows = await findStale(platform.database.executor, column, { keyId, after, limit: BATCH });
  if (rows.length === 0) return undefined;
  await platform.database.transaction(async (tx) => {
    for (const row of rows) {
      const sealed = sealAgain(row);
      if (sealed) await replaceSealed(tx, column, { row, sealed });
    }
    await store.addProgress(tx, rotation, rows.length);
  });
  platform.faultPoint('keys.afterBatch');
  return rows.length < BATCH ? undefined : rows.at(-1)?.key;

  /**
   * Returns the resealed value, or undefined if it cannot be opened. Such a value could not be opened before either,
   * and must not prevent the others from being resealed.
   */
  function sealAgain({ key, sealed, facts }: SealedRow): Uint8Array | undefined {
    const purpose = column.purpose(facts);
    try {
      const plain = ring.open(sealed, purpose);
      const result = ring.seal(plain, purpose);
      plain.fill(0);
      return result;
    } catch (error) {
      platform.log.error({ error, table: column.table, key }, 'cannot open a sealed value; leaving it unchanged');
      return undefined;
    }
  }
}
