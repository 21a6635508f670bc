// How certificates find the account that they were issued to.
import { reference } from '../../../platform/database/filter/reading.ts';

/** For the search of certificates by the identifier of the account. */
export const accountReading = reference({
  column: 'c.protocol_account_uuid',
  table: 'acme_account',
  value: 'account_id',
});
