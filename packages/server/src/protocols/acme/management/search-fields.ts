// Search field for the account that a certificate was issued to.
import { reference } from '../../../platform/database/filter/reading.ts';

/** Finds certificates by account identifier. */
export const accountReading = reference({
  column: 'c.protocol_account_uuid',
  table: 'acme_account',
  value: 'account_id',
});
