// Storage with hooks before and after each statement, with which tests count, order and interrupt work.
import type { ConnectorStorage } from '@signetry/connector-sdk';

export interface StatementHooks {
  /** An exception here interrupts the work before the statement. */
  readonly before?: (text: string) => void;
  readonly after?: (text: string, rows: readonly unknown[]) => void;
}

export function watchedStorage(storage: ConnectorStorage, hooks: StatementHooks): ConnectorStorage {
  return {
    schema: storage.schema,
    scheduleFlush: storage.scheduleFlush,
    table: (name) => storage.table(name),
    async query<Row>(
      text: string,
      ...rest: [values?: readonly unknown[], options?: { name?: string }]
    ): Promise<Row[]> {
      hooks.before?.(text);
      const rows = await storage.query<Row>(text, ...rest);
      hooks.after?.(text, rows);
      return rows;
    },
    transaction: (work) => storage.transaction((tx) => work(watchedStorage(tx, hooks))),
  };
}

export const isReservation = (text: string): boolean => /INSERT INTO "[^"]+"\."issuance" /.test(text);
export const isSignature = (text: string): boolean => /INSERT INTO "[^"]+"\."issuance_signature"/.test(text);
