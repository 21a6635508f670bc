// The lifetime of a certificate (`c`) in days, as the Baseline Requirements count it (CA/Browser Forum BR §6.3.2), and
// as the index of migration 0056-certificates-by-lifetime has it.
import { sql, type RawBuilder } from 'kysely';

export const lifetimeDays: RawBuilder<number> = sql`(ceil((extract(epoch FROM c.not_after - c.not_before) + 1) / 86400)::int)`;
