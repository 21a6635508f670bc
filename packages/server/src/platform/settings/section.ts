// A section of the settings that administrators change while the platform runs. Whoever obeys a setting owns its
// section. Every request may read it: what is stored is remembered for a few seconds, and forgotten at once on the node
// that changes it.
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Executor } from '../database/database.ts';
import type { Platform } from '../platform.ts';
import * as store from './store.ts';

export interface SettingsSection<Value extends object> {
  current(): Promise<Value>;
  /** As a transaction sees it, which must not wait for a second connection. */
  read(tx: Executor): Promise<Value>;
  /**
   * Makes the next value of the one that is stored; of two changes at once the second sees the first. Call `forget`
   * after the commit.
   */
  change(tx: Executor, next: (before: Value) => Value): Promise<void>;
  forget(): void;
}

interface SectionFacts<Value extends object> {
  readonly name: string;
  /** What counts before anybody has set anything, and for members that the version which wrote did not know. */
  readonly initial: Value;
}

export function createSettingsSection<Value extends object>(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { name, initial }: SectionFacts<Value>,
): SettingsSection<Value> {
  // Nobody but `change` writes it.
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
