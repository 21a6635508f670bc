// Compliance checks on large numbers of objects: their progress, and how to stop them. Not part of the published
// interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** `waiting`: queued behind another check. `stopped`: a user stopped it; previous results are retained. */
export const ComplianceRunState = z
  .enum(['waiting', 'running', 'finished', 'stopped'])
  .meta({ id: 'ComplianceRunState' });
export type ComplianceRunState = z.output<typeof ComplianceRunState>;

/** The numbers form a consistent snapshot, written together with the results that they count. */
export const ComplianceRunDto = z
  .object({
    uuid: uuid(),
    state: ComplianceRunState,
    /** Resource being checked: certificates, certificateRequests or keys. For keys, the numbers count key items. */
    resource: Resource,
    startedAt: dateTime(),
    /** Name of the user who requested the check. */
    startedBy: z.string(),
    /** Number of objects at the start of the check; never less than `processed`. */
    total: int64(),
    /**
     * Number of processed objects. Objects without rules and objects deleted in the meantime are not counted under any
     * outcome.
     */
    processed: int64(),
    compliant: int64(),
    notCompliant: int64(),
    /** Number of objects to which no rule applies. */
    notApplicable: int64(),
    /** Number of objects for which the check itself failed. */
    failed: int64(),
    /** Objects per second of processing time. */
    perSecond: int64().optional(),
    endedAt: dateTime().optional(),
    /** Name of the user who stopped the check. */
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
    /** Newest first; finished checks are retained for a week. */
    listComplianceRuns: {
      route: 'GET /x/v1/compliance/runs',
      summary: 'List compliance checks with their progress',
      query: z.object(pageQuery),
      answer: ComplianceRunsDto,
      access: { action: 'list' },
    },
    getComplianceRun: {
      route: 'GET /x/v1/compliance/runs/{runUuid}',
      summary: 'Get the progress of a compliance check',
      params: runUuid,
      answer: ComplianceRunDto,
      access: { action: 'list' },
    },
    /** Previous results are retained. Has no effect if the check has already finished. */
    stopComplianceRun: {
      route: 'POST /x/v1/compliance/runs/{runUuid}/stop',
      summary: 'Stop a compliance check',
      params: runUuid,
      answer: ComplianceRunDto,
      access: { action: 'checkCompliance' },
      audit: 'checkCompliance',
    },
  },
);
