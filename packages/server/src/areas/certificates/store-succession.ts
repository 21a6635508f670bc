// SQL condition on `certificate as c`: the certificate has been replaced.
import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * Whether a successor was issued. Clients of protocols that do not state which certificate they renew request the same
 * names again. The expression must match the index created by migration 0052-certificates-by-names.
 */
export const isSucceeded: RawBuilder<SqlBool> = sql`(
  EXISTS (SELECT FROM certificate_relation r JOIN certificate s ON s.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = c.uuid AND s.state = 'issued')
  OR c.protocol_account_uuid IS NOT NULL AND EXISTS (SELECT FROM certificate s
    WHERE hashtextextended(s.subject_dn_normalized || ' ' || s.subject_alternative_names::text, 0)
        = hashtextextended(c.subject_dn_normalized || ' ' || c.subject_alternative_names::text, 0)
      AND s.not_before > c.not_before AND s.not_after > c.not_after AND s.state = 'issued'
      AND s.protocol_account_uuid = c.protocol_account_uuid
      AND s.subject_alternative_names = c.subject_alternative_names))`;
