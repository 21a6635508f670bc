// Checks of many objects: how far each is, and its end where somebody stops it. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** `waiting`: another check comes first. `stopped`: somebody ended it; what was checked until then is kept. */
export const ComplianceRunState = z
  .enum(['waiting', 'running', 'finished', 'stopped'])
  .meta({ id: 'ComplianceRunState' });
export type ComplianceRunState = z.output<typeof ComplianceRunState>;

/** Every number is that of one moment, and is written together with the results that it counts. */
export const ComplianceRunDto = z
  .object({
    uuid: uuid(),
    state: ComplianceRunState,
    /** What is checked: certificates, certificateRequests or keys. Of keys, their items are counted. */
    resource: Resource,
    startedAt: dateTime(),
    /** Name of the user who asked for it. */
    startedBy: z.string(),
    /** Objects, counted when it began; never less than `processed`. */
    total: int64(),
    /** Objects that were looked at; those without rules and those that are gone meanwhile have none of the outcomes. */
    processed: int64(),
    compliant: int64(),
    notCompliant: int64(),
    /** No rule speaks of them. */
    notApplicable: int64(),
    /** Those whose check failed by itself. */
    failed: int64(),
    /** Objects per second, over the time that was worked. */
    perSecond: int64().optional(),
    endedAt: dateTime().optional(),
    /** Name of the user who stopped it. */
    stoppedBy: z.string().optional(),
  })
  .meta({ id: 'ComplianceRunDto' });
export type ComplianceRunDto = z.output<typeof ComplianceRunDto>;

export const ComplianceRunsDto = z
  .object({ runs: z.array(ComplianceRunDto), ...pageTotals })
  .meta({ id: 'ComplianceRunsDto' });
export type ComplianceRunsDto = z.output<typeof ComplianceRunsDto>;

const runUuid = z.object({ runUuid: uuid() });

export const complianceRunOperations = operations(
  { tag: 'Compliance Management v2', resource: 'complianceProfiles', module: 'compliance', errors: objectErrors },
  {
    /** The newest first; those that ended are remembered for a week. */
    listComplianceRuns: {
      route: 'GET /x/v1/compliance/runs',
      summary: 'List checks of compliance with their progress',
      query: z.object(pageQuery),
      answer: ComplianceRunsDto,
      access: { action: 'list' },
    },
    getComplianceRun: {
      route: 'GET /x/v1/compliance/runs/{runUuid}',
      summary: 'Get the progress of a check of compliance',
      params: runUuid,
      answer: ComplianceRunDto,
      access: { action: 'list' },
    },
    /** What was checked until now stays. Nothing happens when it has ended already. */
    stopComplianceRun: {
      route: 'POST /x/v1/compliance/runs/{runUuid}/stop',
      summary: 'Stop a check of compliance',
      params: runUuid,
      answer: ComplianceRunDto,
      access: { action: 'checkCompliance' },
      audit: 'checkCompliance',
    },
  },
);
