// Progress of a discovery, how to stop and resume it, its rejected results, and the differences between two
// discoveries. Not part of the published interface.
import { z } from 'zod';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DiscoveryCertificateDto } from '../platform/discoveries.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** Maximum number of findings stored per discovery; the total counts all findings. */
export const MAX_STORED_FINDINGS = 10_000;

/**
 * `starting`: the provider has not responded yet. `searching`: the provider is searching. `reading`: its results are
 * being read page by page. `ended`: nothing more happens unless the discovery is resumed.
 */
export const DiscoveryPhase = z.enum(['starting', 'searching', 'reading', 'ended']).meta({ id: 'DiscoveryPhase' });
export type DiscoveryPhase = z.output<typeof DiscoveryPhase>;

/** The numbers form a consistent snapshot, written together with the data that they count. */
export const DiscoveryProgress = z
  .object({
    uuid: uuid(),
    status: DiscoveryStatus,
    phase: DiscoveryPhase,
    /** Why the discovery ended, or what it is waiting for. */
    message: z.string().optional(),
    /** Number of certificates that the provider has announced; 0 before the announcement. */
    announced: int32(),
    /** Number of provider results read so far: the sum of `found`, `repeated` and `refused`. */
    read: int32(),
    /** Number of distinct certificates. */
    found: int32(),
    /** Number of distinct certificates that were not in the inventory before. */
    newlyDiscovered: int32(),
    /** Number of results whose certificate had already been found in this discovery; they only add metadata. */
    repeated: int32(),
    /** Number of results that are not readable certificates; see the findings. */
    refused: int32(),
    pagesRead: int32(),
    /** Number of result pages; absent until the provider has finished. */
    pages: int32().optional(),
    /** Results per second of reading time. */
    perSecond: int64().optional(),
    startedAt: dateTime(),
    endedAt: dateTime().optional(),
    /** Name of the user who started the discovery. */
    startedBy: z.string(),
    /** Name of the user who stopped the discovery. */
    stoppedBy: z.string().optional(),
    stoppable: z.boolean(),
    /** True if the discovery ended before all results were read. */
    resumable: z.boolean(),
  })
  .meta({ id: 'DiscoveryProgress' });
export type DiscoveryProgress = z.output<typeof DiscoveryProgress>;

export const DiscoveryFinding = z
  .object({
    /** Page of the provider's results, starting at 1. */
    page: int32(),
    /** Position on the page, starting at 1. */
    place: int32(),
    /** The provider's identifier for the result. */
    providerId: z.string(),
    /** Why the result was rejected. */
    reason: z.string(),
    seenAt: dateTime(),
  })
  .meta({ id: 'DiscoveryFinding' });
export type DiscoveryFinding = z.output<typeof DiscoveryFinding>;

export const DiscoveryFindings = z
  .object({ findings: z.array(DiscoveryFinding), ...pageTotals })
  .meta({ id: 'DiscoveryFindings' });
export type DiscoveryFindings = z.output<typeof DiscoveryFindings>;

/**
 * `new`: found only by this discovery. `gone`: found only by the other one. `changed`: found by both, with different
 * metadata.
 */
export const DiscoveryChange = z.enum(['new', 'gone', 'changed']).meta({ id: 'DiscoveryChange' });
export type DiscoveryChange = z.output<typeof DiscoveryChange>;

export const DiscoveryDifference = z
  .object({
    /**
     * Discovery that this one is compared with. If there is no previous discovery, it is absent and no differences are
     * reported.
     */
    with: z.object({ uuid: uuid(), name: z.string(), startedAt: dateTime() }).optional(),
    new: int32(),
    gone: int32(),
    changed: int32(),
    unchanged: int32(),
    /** Certificates that differ, limited to one kind of change if requested; sorted by common name. */
    certificates: z.array(DiscoveryCertificateDto.extend({ change: DiscoveryChange })),
    ...pageTotals,
  })
  .meta({ id: 'DiscoveryDifference' });
export type DiscoveryDifference = z.output<typeof DiscoveryDifference>;

export const discoveryRunOperations = operations(
  { tag: 'Discovery Management', resource: 'discoveries', module: 'discovery', errors: objectErrors },
  {
    getDiscoveryProgress: {
      route: 'GET /x/v1/discoveries/{uuid}/progress',
      summary: 'Get the progress of a discovery',
      answer: DiscoveryProgress,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Previous results are retained. Has no effect if the discovery has already ended. */
    stopDiscovery: {
      route: 'POST /x/v1/discoveries/{uuid}/stop',
      summary: 'Stop a discovery',
      answer: DiscoveryProgress,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    /** Continues from the point at which the discovery ended. Returns 422 if all results were read. */
    resumeDiscovery: {
      route: 'POST /x/v1/discoveries/{uuid}/resume',
      summary: 'Resume a discovery that ended before everything was read',
      answer: DiscoveryProgress,
      errors: ruleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    /** Rejected provider results, in the order in which they were returned. */
    listDiscoveryFindings: {
      route: 'GET /x/v1/discoveries/{uuid}/findings',
      summary: 'List the rejected results of a discovery',
      query: z.object(pageQuery),
      answer: DiscoveryFindings,
      access: { action: 'detail', object: 'uuid' },
    },
    /**
     * Compares the discovery with the specified one. Default: the previous discovery that used the same connector and
     * parameters and has ended.
     */
    getDiscoveryDifference: {
      route: 'GET /x/v1/discoveries/{uuid}/difference',
      summary: 'Compare a discovery with a different one',
      query: z.object({ with: uuid().optional(), change: DiscoveryChange.optional(), ...pageQuery }),
      answer: DiscoveryDifference,
      access: { action: 'detail', object: 'uuid' },
      also: [{ resource: 'discoveries', action: 'detail', where: 'a different discovery is specified, on it' }],
    },
  },
);
