// Relates certificates to the profile under which they were issued.
import { reference, type SqlReading } from '../../platform/database/filter/reading.ts';
import type { ProtocolFacts } from './protocol.ts';

/** Searches certificates by profile name. */
export const profileReading = ({ tables }: Pick<ProtocolFacts, 'tables'>): SqlReading =>
  reference({ column: 'c.protocol_profile_uuid', table: tables.profiles });
