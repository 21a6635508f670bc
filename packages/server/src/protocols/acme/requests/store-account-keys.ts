// Query for the account that signed a request.
import type { Executor } from '../../../platform/database/database.ts';
import type { AcmeAccountRow, AcmeTables } from '../model/tables.ts';

export async function findByAccountId(executor: Executor, accountId: string): Promise<AcmeAccountRow | undefined> {
  const row = await executor
    .withTables<AcmeTables>()
    .selectFrom('acme_account')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row as AcmeAccountRow | undefined; // Generated and JSON columns are read with the types of the table.
}
