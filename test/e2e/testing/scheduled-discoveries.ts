// Discoveries started by a job: scheduling them, and waiting for their runs.
import type { Client } from '@signetry/client';
import type { ScheduleDiscoveryDto } from '@signetry/contract';
import { expect } from 'vitest';
import { storeAttributes, KEY_STORE_KIND } from '../../load/discovery-provider.ts';

export const EVERY_SECOND = '* * * * * ?';
export const YEARLY = '0 0 0 1 1 ?';
/** A run can wait for the lease of a killed node. */
export const RUN_MS = 60_000;

export const scheduleOf = (
  connectorUuid: string,
  name: string,
  changes: Partial<ScheduleDiscoveryDto> = {},
): ScheduleDiscoveryDto => ({
  jobName: `job of ${name}`,
  cronExpression: YEARLY,
  oneTime: false,
  request: { name, connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes(name) },
  ...changes,
});

export const schedule = async (client: Client, body: ScheduleDiscoveryDto): Promise<string> =>
  (await client.discoveries.scheduleDiscovery({ body })).uuid;

export const historyOf = async ({ scheduledJobs }: Client, uuid: string) =>
  (await scheduledJobs.getScheduledJobHistory({ params: { uuid } })).scheduledJobHistory;

export const waitForEnd = (client: Client, uuid: string, status: 'succeeded' | 'failed') =>
  expect
    .poll(() => client.scheduledJobRuns.getScheduledJobOverview({ params: { uuid } }), { timeout: RUN_MS })
    .toMatchObject({ running: false, lastExecutionStatus: status });
