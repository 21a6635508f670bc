// Order status in SQL: the logic of `statusOf`, for counting and filtering many orders. `o` is the order.
import type { AcmeOrderStatus } from '@signetry/contract';
import { sql, type RawBuilder } from 'kysely';
import { STATES_WITH_CERTIFICATE, STATES_WITHOUT_CERTIFICATE } from './present.ts';

/** Returns an expression for the status that the client currently sees. */
export const shownStatus = (now: Date): RawBuilder<AcmeOrderStatus> => sql`
  CASE o.status
    WHEN 'processing' THEN coalesce((
      SELECT CASE WHEN c.state = ANY (${[...STATES_WITH_CERTIFICATE]}::text[]) THEN 'valid'
                  WHEN c.state = ANY (${[...STATES_WITHOUT_CERTIFICATE]}::text[]) THEN 'invalid' END
      FROM certificate c WHERE c.uuid = o.certificate_uuid), 'processing')
    WHEN 'pending' THEN CASE WHEN o.expires_at <= ${now}::timestamptz THEN 'invalid' ELSE (
      SELECT CASE WHEN count(*) FILTER (WHERE z.status = 'valid' AND z.expires_at > ${now}::timestamptz) = count(*) THEN 'ready'
                  WHEN count(*) FILTER (WHERE z.status IN ('valid', 'pending') AND z.expires_at > ${now}::timestamptz) = count(*) THEN 'pending'
                  ELSE 'invalid' END
      FROM unnest(o.authorization_uuids) AS part (uuid) LEFT JOIN acme_authorization z ON z.uuid = part.uuid) END
    ELSE o.status END`;
