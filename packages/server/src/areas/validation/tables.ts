// Rows of the tables that this area owns (migration 0046-validation-runs).
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateTables, JoinedTables } from '../certificates/index.ts';

type ValidationTables = {
  /** When it was last validated, and when time alone changes its status. */
  certificate_check: { certificate_uuid: string; checked_at: Date; due_at: Date | null };
  certificate_validation_run: {
    uuid: string;
    started_at: Date;
    started_by: string;
    total: number;
    processed: number;
    changed: number;
    cursor: string | null;
    leased_by: string | null;
    leased_until: Date | null;
    /** Time that nodes worked on it: what a rate is made of. */
    working_ms: number;
    finished_at: Date | null;
  };
};

export type RunRow = ValidationTables['certificate_validation_run'];

/** With the certificates that are validated, and their RA profiles. */
export const validationTables = (executor: Executor) =>
  executor.withTables<CertificateTables & JoinedTables & ValidationTables>();
