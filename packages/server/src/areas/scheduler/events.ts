// Scheduled job event. It is delivered to subscribers as a job after the commit.
import type { SchedulerJobExecutionStatus } from '@signetry/contract';
import type { Events } from '../../platform/events/outbox.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** Raised when a run has ended. */
    scheduled_job_finished: {
      readonly jobUuid: string;
      readonly jobName: string;
      readonly jobType: string;
      readonly status: SchedulerJobExecutionStatus;
      /** User on whose behalf the job ran; null for platform jobs. */
      readonly userUuid: string | null;
    };
  }
}

export function publishJobEvents(events: Events): void {
  events.publish('scheduled_job_finished', { resource: 'jobs', objectOf: ({ jobUuid }) => jobUuid });
}
