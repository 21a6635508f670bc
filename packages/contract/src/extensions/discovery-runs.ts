// Progress of a discovery, how to stop and resume it, results that were rejected, and the difference between two
// discoveries. Not part of the published interface.
import { z } from 'zod';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DiscoveryCertificateDto } from '../platform/discoveries.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** Maximum number of findings stored per discovery; the total counts all of them. */
export const MAX_KEPT_FINDINGS = 10_000;

/**
 * `starting`: the provider has not responded yet. `searching`: the provider is searching. `reading`: its results are
 * read page by page. `ended`: nothing more happens unless the discovery is resumed.
 */
export const DiscoveryPhase = z.enum(['starting', 'searching', 'reading', 'ended']).meta({ id: 'DiscoveryPhase' });
export type DiscoveryPhase = z.output<typeof DiscoveryPhase>;

/** All numbers are a consistent snapshot, written together with the data that they count. */
export const DiscoveryProgress = z
  .object({
    uuid: uuid(),
    status: DiscoveryStatus,
    phase: DiscoveryPhase,
    /** Why the discovery ended, or what it is waiting for. */
    message: z.string().optional(),
    /** Number of certificates announced by the provider; 0 until then. */
    announced: int32(),
    /** Number of provider results that were read: the sum of `found`, `repeated` and `refused`. */
    read: int32(),
    /** Number of distinct certificates. */
    found: int32(),
    /** Number of these that were not in the inventory. */
    newlyDiscovered: int32(),
    /** Number of results whose certificate was already found in this discovery: they only add metadata. */
    repeated: int32(),
    /** Number of results that are not a readable certificate; see the findings. */
    refused: int32(),
    pagesRead: int32(),
    /** Absent until the provider has finished. */
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
    /** True if the discovery ended before everything was read. */
    resumable: z.boolean(),
  })
  .meta({ id: 'DiscoveryProgress' });
export type DiscoveryProgress = z.output<typeof DiscoveryProgress>;

export const DiscoveryFinding = z
  .object({
    /** Page of the provider's results, counted from 1. */
    page: int32(),
    /** Position on the page, counted from 1. */
    place: int32(),
    /** Provider's identifier of the result. */
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
     * Discovery with which this one is compared. Absent if there is no previous one; no differences are reported then.
     */
    with: z.object({ uuid: uuid(), name: z.string(), startedAt: dateTime() }).optional(),
    new: int32(),
    gone: int32(),
    changed: int32(),
    unchanged: int32(),
    /** Certificates that differ, optionally limited to the requested kind of change; sorted by common name. */
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
    /** Continues where the discovery ended. Returns 422 if everything was read. */
    resumeDiscovery: {
      route: 'POST /x/v1/discoveries/{uuid}/resume',
      summary: 'Resume a discovery that ended before everything was read',
      answer: DiscoveryProgress,
      errors: ruleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    /** Provider results that were rejected, in the order in which they were returned. */
    listDiscoveryFindings: {
      route: 'GET /x/v1/discoveries/{uuid}/findings',
      summary: 'List the rejected results of a discovery',
      query: z.object(pageQuery),
      answer: DiscoveryFindings,
      access: { action: 'detail', object: 'uuid' },
    },
    /**
     * Compares with the specified discovery. Default: the previous discovery of the same connector with the same
     * parameters that has ended.
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
