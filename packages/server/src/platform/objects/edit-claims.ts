// Serializes edits to an object whose connector is called outside transactions: otherwise the connector could end up
// with the values of one edit, and the platform with those of another. The table has an `edited_until` column.
import { sql } from 'kysely';
import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../database/database.ts';
import type { NamedFacts, NamedRow } from './named-objects.ts';

/** Longer than all calls in an edit take together: only a crashed process holds an object until then. */
const EDIT_CLAIM_MS = 180_000;

type EditedTables = Readonly<Record<string, { readonly uuid: string; readonly edited_until: Date | null }>>;

export type EditClaims = ReturnType<typeof createEditClaims>;

export function createEditClaims(
  { database, clock }: { database: Database; clock: Clock },
  { what, table }: NamedFacts,
) {
  const { executor } = database;

  /** Claims the object for one edit, until the edit ends or the claim expires. */
  async function hold(uuid: string): Promise<boolean> {
    const now = clock.now();
    const held = await executor
      .withTables<EditedTables>()
      .updateTable(table)
      .set({ edited_until: new Date(now.getTime() + EDIT_CLAIM_MS) })
      .where('uuid', '=', uuid)
      .where((build) => build.or([build('edited_until', 'is', null), build('edited_until', '<=', now)]))
      .returning('uuid')
      .executeTakeFirst();
    return held !== undefined;
  }

  const release = (uuid: string) =>
    executor
      .withTables<EditedTables>()
      .updateTable(table)
      .set({ edited_until: sql`NULL` })
      .where('uuid', '=', uuid)
      .execute();

  return {
    /** Runs an edit on the object; rejects it while another edit is in progress. */
    async during<Result>({ uuid, name }: NamedRow, edit: () => Promise<Result>): Promise<Result> {
      if (!(await hold(uuid))) {
        throw new AppError('invalid_state', {
          what,
          name,
          state: 'being edited by another user',
          needed: 'that edit to finish. Check its changes and try again',
        });
      }
      try {
        return await edit();
      } finally {
        await release(uuid);
      }
    },
  };
}
