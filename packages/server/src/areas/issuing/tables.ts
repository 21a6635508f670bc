// Rows of the tables that this area owns (migrations 0005-certificates and 0033-end-entities).
import type { CertificateRevocationReason } from '@signetry/contract';
import type { z } from 'zod';
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateTables } from '../certificates/index.ts';

type IssuingTables = {
  certificate_operation: {
    uuid: string;
    certificate_uuid: string;
    kind: OperationKind;
    state: 'awaiting_approval' | 'pending' | 'undecided' | 'done' | 'failed';
    ra_profile_uuid: string;
    predecessor_uuid: string | null;
    requester_uuid: string | null;
    requester_name: string;
    payload: OperationPayload;
    /** 0 while the operation waits for approval; the worker that takes it over makes the first attempt. */
    attempts: number;
    leased_by: string;
    leased_until: Date;
    last_problem: string | null;
    created_at: Date;
    finished_at: Date | null;
  };
  /** Used for v1 authorities. */
  certificate_end_entity: {
    certificate_uuid: string;
    username: string;
    /** Null once the operation has ended. */
    sealed_password: Buffer | null;
  };
};

export type OperationKind = 'issue' | 'renew' | 'rekey' | 'revoke';

/**
 * Input of the call to the authority in addition to the referenced rows. Attributes are stored, sealed, by their own
 * area.
 */
export interface OperationPayload {
  /** `removeFromCRL` releases the certificate from hold. */
  readonly reason?: z.output<typeof CertificateRevocationReason> | 'removeFromCRL';
  /** Whether the key is to be destroyed after a revocation. */
  readonly destroysKey?: true;
  /** Name of the end entity, whose password is stored until the operation ends. */
  readonly endEntity?: string;
}

export type OperationRow = IssuingTables['certificate_operation'];

/** Tables of this area, and the tables of the certificates to which the operations apply. */
export const issuingTables = (executor: Executor) => executor.withTables<CertificateTables & IssuingTables>();
