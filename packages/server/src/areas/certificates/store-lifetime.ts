// A certificate's (`c`) validity period in days, counted as in the Baseline Requirements (CA/Browser Forum BR §6.3.2)
// and indexed by migration 0056-certificates-by-lifetime.
import { sql, type RawBuilder } from 'kysely';

export const lifetimeDays: RawBuilder<number> = sql`(ceil((extract(epoch FROM c.not_after - c.not_before) + 1) / 86400)::int)`;
