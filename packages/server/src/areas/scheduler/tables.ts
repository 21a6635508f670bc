// Rows of this area's tables (migration 0071-scheduler).
import type { Generated, Selectable } from 'kysely';
import type { Resource, SchedulerJobExecutionStatus } from '@signetry/contract';

export type SchedulerTables = {
  scheduled_job: {
    uuid: string;
    name: string;
    job_type: string;
    cron_expression: string;
    /** Time zone in which `next_run_at` was calculated. */
    time_zone: string;
    enabled: boolean;
    one_time: boolean;
    system: boolean;
    /** User on whose behalf the job runs; null for platform jobs. */
    user_uuid: string | null;
    username: string | null;
    /** Parameters without secrets, written as JSON text. */
    object_data: unknown;
    sealed_request: Uint8Array | null;
    next_run_at: Date | null;
    /** Whether the last run was interrupted because its node failed, and will be repeated. */
    again: boolean;
    /** Number of consecutive interruptions. */
    interruptions: number;
    run_uuid: string | null;
    /** Null while a run is handed over to other objects. */
    leased_until: Date | null;
  };
  scheduled_job_run: {
    uuid: string;
    /** Order in which the runs started, independent of the clock. */
    ordinal: Generated<string>;
    job_uuid: string;
    started_at: Date;
    ended_at: Date | null;
    status: SchedulerJobExecutionStatus;
    message: string | null;
    result_resource: Resource | null;
    result_uuids: string[] | null;
  };
};

export type ScheduledJobRow = SchedulerTables['scheduled_job'];
export type ScheduledJobRunRow = Selectable<SchedulerTables['scheduled_job_run']>;
