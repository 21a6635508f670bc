// The event of scheduled jobs; subscribers get it as a job after the commit.
import type { SchedulerJobExecutionStatus } from '@signetry/contract';
import type { Events } from '../../platform/events/outbox.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    /** A run ended. */
    scheduled_job_finished: {
      readonly jobUuid: string;
      readonly jobName: string;
      readonly jobType: string;
      readonly status: SchedulerJobExecutionStatus;
      /** In whose name it ran; null for jobs of the platform. */
      readonly userUuid: string | null;
    };
  }
}

export function publishJobEvents(events: Events): void {
  events.publish('scheduled_job_finished', { resource: 'jobs', objectOf: ({ jobUuid }) => jobUuid });
}
