// A section of the settings that administrators can change at run time. The area that applies a setting owns its
// section. Every request can read a section: the stored value is cached for a few seconds, and invalidated immediately
// on the node that changes it.
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Executor } from '../database/database.ts';
import type { Platform } from '../platform.ts';
import * as store from './store.ts';

export interface SettingsSection<Value extends object> {
  current(): Promise<Value>;
  /** Reads the value within a transaction, so that the caller does not wait for a second connection. */
  read(tx: Executor): Promise<Value>;
  /**
   * Computes the next value from the stored one; when two changes are concurrent, the second sees the result of the
   * first. Call `forget` after the commit.
   */
  change(tx: Executor, next: (before: Value) => Value): Promise<void>;
  forget(): void;
}

interface SectionFacts<Value extends object> {
  readonly name: string;
  /** Default value until something is stored, and for members unknown to the version that stored the value. */
  readonly initial: Value;
}

export function createSettingsSection<Value extends object>(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { name, initial }: SectionFacts<Value>,
): SettingsSection<Value> {
  // The cast is safe because only `change` writes the value.
  const whole = (stored: unknown): Value => ({ ...initial, ...(stored as Partial<Value> | undefined) });
  const read = async (executor: Executor) => whole(await store.findValue(executor, name));
  const known = createExpiringCache({
    clock,
    load: (_only: 'value') => read(database.executor),
  });
  return {
    current: () => known.get('value'),
    read,
    async change(tx, next) {
      const now = clock.now();
      const before = whole(await store.holdValue(tx, name, now));
      await store.storeValue(tx, { section: name, value: next(before), now });
    },
    forget: () => known.invalidate(),
  };
}
