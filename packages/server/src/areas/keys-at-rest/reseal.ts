// Seals everything anew under the current key, batch by batch. May be interrupted anywhere and started again: what is
// done is found by the key that each value names.
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

/** Returns the last key of the batch; undefined when it was the last batch. */
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
      const sealed = sealedAnew(row);
      if (sealed) await replaceSealed(tx, column, { row, sealed });
    }
    await store.addProgress(tx, rotation, rows.length);
  });
  platform.faultPoint('keys.afterBatch');
  return rows.length < BATCH ? undefined : rows.at(-1)?.key;

  /** A value that does not open now did not open before either; it must not keep the others from the new key. */
  function sealedAnew({ key, sealed, facts }: SealedRow): Uint8Array | undefined {
    const purpose = column.purpose(facts);
    try {
      const plain = ring.open(sealed, purpose);
      const result = ring.seal(plain, purpose);
      plain.fill(0);
      return result;
    } catch (error) {
      platform.log.error({ error, table: column.table, key }, 'a sealed value cannot be opened, so it stays as it is');
      return undefined;
    }
  }
}
