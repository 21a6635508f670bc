// Rows of this area's tables (migration 0046-validation-runs).
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateTables, JoinedTables } from '../certificates/index.ts';

type ValidationTables = {
  /** Time of the last validation, and when time alone changes the status. */
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
    /** Time that nodes have spent on the run, for calculating the rate. */
    working_ms: number;
    finished_at: Date | null;
  };
};

export type RunRow = ValidationTables['certificate_validation_run'];

/** Also includes the tables for certificates and RA profiles. */
export const validationTables = (executor: Executor) =>
  executor.withTables<CertificateTables & JoinedTables & ValidationTables>();
