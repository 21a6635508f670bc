// Filter fields for entries. `o` is the table of entries.
import { column } from '../../platform/database/filter/reading.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

export const oidFields = sqlFields('oids', {
  OID_ENTRY_OID: column('o.oid'),
  OID_ENTRY_DISPLAY_NAME: column('o.display_name'),
  OID_ENTRY_CATEGORY: column('o.category'),
  OID_ENTRY_CODE: column('o.code'),
});
