// A job's parameters, which are sealed because they can contain secrets: attributes pass credentials to connectors.
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScheduledJobRow } from './tables.ts';

const purpose = (uuid: string): string => `request of the scheduled job ${uuid}`;

export const requestColumn: SealedColumn = {
  table: 'scheduled_job',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_request',
  form: 'bytes',
  purpose: ({ uuid = '' }) => purpose(uuid),
};

export const sealRequest = ({ sealer }: Pick<Platform, 'sealer'>, uuid: string, request: unknown): Uint8Array =>
  sealer.seal(Buffer.from(JSON.stringify(request)), purpose(uuid));

/** Undefined for platform jobs, which have no parameters. */
export const openRequest = (
  { sealer }: Pick<Platform, 'sealer'>,
  { uuid, sealed_request: sealed }: Pick<ScheduledJobRow, 'uuid' | 'sealed_request'>,
): unknown =>
  sealed === null ? undefined : JSON.parse(Buffer.from(sealer.open(sealed, purpose(uuid))).toString('utf8'));
