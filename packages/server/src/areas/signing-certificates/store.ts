// Inventory certificates that can be selected for signing.
import type { CertificateState, CertificateValidationStatus } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { isVisibleCertificate, type CertificateFilter } from '../certificates/index.ts';

/** Maximum number of entries in the selection list; users could not handle more. */
const MAX_CHOICES = 500;

export interface SigningRow {
  readonly uuid: string;
  readonly common_name: string;
  readonly state: CertificateState;
  readonly validation_status: CertificateValidationStatus;
  readonly archived: boolean;
  readonly not_after: Date | null;
  readonly public_key_algorithm: string;
  /** Lowercase hex SHA-256 of the SubjectPublicKeyInfo. */
  readonly public_key_fingerprint: string;
}

const columns = sql`c.uuid, c.common_name, c.state, c.validation_status, c.archived, c.not_after,
  c.public_key_algorithm, c.public_key_fingerprint`;

export async function findOne(executor: Executor, uuid: string): Promise<SigningRow | undefined> {
  const { rows } = await sql<SigningRow>`SELECT ${columns} FROM certificate c WHERE c.uuid = ${uuid}::uuid`.execute(
    executor,
  );
  return rows[0];
}

/** Returns the issued successors; those that expire last come first. */
export async function findSuccessors(executor: Executor, uuid: string): Promise<readonly SigningRow[]> {
  const { rows } = await sql<SigningRow>`
    SELECT ${columns} FROM certificate_relation r JOIN certificate c ON c.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = ${uuid}::uuid AND c.state = 'issued' AND NOT c.archived
    ORDER BY c.not_after DESC, c.uuid LIMIT ${MAX_CHOICES}`.execute(executor);
  return rows;
}

/**
 * Returns the issued certificates whose key is in a token, sorted by name. `judge` then checks whether each one is
 * suitable.
 */
export async function findWithKeys(executor: Executor, visible: CertificateFilter): Promise<readonly SigningRow[]> {
  const { rows } = await sql<SigningRow>`
    SELECT ${columns} FROM certificate c
    WHERE c.state = 'issued' AND NOT c.archived AND ${isVisibleCertificate(visible)}
      AND EXISTS (SELECT FROM key_item i
        WHERE i.public_key_fingerprint = c.public_key_fingerprint AND i.type = 'Private' AND i.state = 'active')
    ORDER BY c.common_name, c.uuid LIMIT ${MAX_CHOICES}`.execute(executor);
  return rows;
}
