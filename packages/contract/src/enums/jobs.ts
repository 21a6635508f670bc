// Enumerations for background work: discoveries and scheduled jobs.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const DiscoveryStatus = enumeration('DiscoveryStatus', {
  inProgress: 'In Progress',
  processing: 'Processing',
  failed: 'Failed',
  completed: 'Completed',
  warning: 'Warning',
});
export type DiscoveryStatus = z.output<typeof DiscoveryStatus>;

export const SchedulerJobExecutionStatus = enumeration('SchedulerJobExecutionStatus', {
  started: 'Started',
  succeeded: 'Succeeded',
  failed: 'Failed',
});
export type SchedulerJobExecutionStatus = z.output<typeof SchedulerJobExecutionStatus>;
