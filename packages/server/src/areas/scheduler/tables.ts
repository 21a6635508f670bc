// Rows of the tables that this area owns (migration 0071-scheduler).
import type { Generated, Selectable } from 'kysely';
import type { Resource, SchedulerJobExecutionStatus } from '@signetry/contract';

export type SchedulerTables = {
  scheduled_job: {
    uuid: string;
    name: string;
    job_type: string;
    cron_expression: string;
    /** In which `next_run_at` was worked out. */
    time_zone: string;
    enabled: boolean;
    one_time: boolean;
    system: boolean;
    /** In whose name it runs; null for jobs of the platform. */
    user_uuid: string | null;
    username: string | null;
    /** What it was asked to do, without secrets; as JSON text when it is written. */
    object_data: unknown;
    sealed_request: Uint8Array | null;
    next_run_at: Date | null;
    /** Its last run ended with its node. */
    again: boolean;
    /** Such ends in a row. */
    interruptions: number;
    run_uuid: string | null;
    /** Null while a run goes on as another object. */
    leased_until: Date | null;
  };
  scheduled_job_run: {
    uuid: string;
    /** In which runs began, whatever the clock said. */
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
