// What a discovery does while it runs, its end where somebody stops it, what it saw and could not take, and how two
// discoveries differ. Not part of the published interface.
import { z } from 'zod';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { DiscoveryCertificateDto } from '../platform/discoveries.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';

/** Findings of a discovery that are kept; the number tells of the rest. */
export const MAX_KEPT_FINDINGS = 10_000;

/**
 * `starting`: the provider has not answered yet. `searching`: the provider is at work. `reading`: its results are read,
 * page by page. `ended`: nothing more happens, unless it is resumed.
 */
export const DiscoveryPhase = z.enum(['starting', 'searching', 'reading', 'ended']).meta({ id: 'DiscoveryPhase' });
export type DiscoveryPhase = z.output<typeof DiscoveryPhase>;

/** Every number is that of one moment, and is written together with what it counts. */
export const DiscoveryProgress = z
  .object({
    uuid: uuid(),
    status: DiscoveryStatus,
    phase: DiscoveryPhase,
    /** Why it ended as it did, or what it waits for. */
    message: z.string().optional(),
    /** Certificates that the provider announced; 0 before it has. */
    announced: int32(),
    /** Results of the provider that were read: the sum of `found`, `repeated` and `refused`. */
    read: int32(),
    /** Different certificates. */
    found: int32(),
    /** Of these, the ones that the inventory did not have. */
    newlyDiscovered: int32(),
    /** Results whose certificate had been found before in this discovery: they only add metadata. */
    repeated: int32(),
    /** Results that are no certificate that can be read; see the findings. */
    refused: int32(),
    pagesRead: int32(),
    /** Absent before the provider has finished. */
    pages: int32().optional(),
    /** Results per second, over the time that was spent on reading them. */
    perSecond: int64().optional(),
    startedAt: dateTime(),
    endedAt: dateTime().optional(),
    /** Name of the user who began it. */
    startedBy: z.string(),
    /** Name of the user who stopped it. */
    stoppedBy: z.string().optional(),
    stoppable: z.boolean(),
    /** It ended before everything was read. */
    resumable: z.boolean(),
  })
  .meta({ id: 'DiscoveryProgress' });
export type DiscoveryProgress = z.output<typeof DiscoveryProgress>;

export const DiscoveryFinding = z
  .object({
    /** Page of the provider, the first is 1. */
    page: int32(),
    /** Place on the page, the first is 1. */
    place: int32(),
    /** What the provider calls the result. */
    providerId: z.string(),
    /** Why it was not taken. */
    reason: z.string(),
    seenAt: dateTime(),
  })
  .meta({ id: 'DiscoveryFinding' });
export type DiscoveryFinding = z.output<typeof DiscoveryFinding>;

export const DiscoveryFindings = z
  .object({ findings: z.array(DiscoveryFinding), ...pageTotals })
  .meta({ id: 'DiscoveryFindings' });
export type DiscoveryFindings = z.output<typeof DiscoveryFindings>;

/** `new`: only this discovery found it. `gone`: only the other one did. `changed`: both did, with other metadata. */
export const DiscoveryChange = z.enum(['new', 'gone', 'changed']).meta({ id: 'DiscoveryChange' });
export type DiscoveryChange = z.output<typeof DiscoveryChange>;

export const DiscoveryDifference = z
  .object({
    /** The discovery that this one is compared with; absent where there is none before it: then nothing differs. */
    with: z.object({ uuid: uuid(), name: z.string(), startedAt: dateTime() }).optional(),
    new: int32(),
    gone: int32(),
    changed: int32(),
    unchanged: int32(),
    /** Those that differ, or only those that differ as was asked for; by common name. */
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
    /** What was found until now stays. Nothing happens when it has ended already. */
    stopDiscovery: {
      route: 'POST /x/v1/discoveries/{uuid}/stop',
      summary: 'Stop a discovery',
      answer: DiscoveryProgress,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    /** Goes on where it ended; refused (422) when everything was read. */
    resumeDiscovery: {
      route: 'POST /x/v1/discoveries/{uuid}/resume',
      summary: 'Resume a discovery that ended before everything was read',
      answer: DiscoveryProgress,
      errors: ruleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
    },
    /** What the provider gave and could not be taken, in its order. */
    listDiscoveryFindings: {
      route: 'GET /x/v1/discoveries/{uuid}/findings',
      summary: 'List what a discovery saw and could not take',
      query: z.object(pageQuery),
      answer: DiscoveryFindings,
      access: { action: 'detail', object: 'uuid' },
    },
    /**
     * Compares with the last one before it that asked the same of the same connector and has ended, or with the one
     * that is named.
     */
    getDiscoveryDifference: {
      route: 'GET /x/v1/discoveries/{uuid}/difference',
      summary: 'Compare a discovery with another one',
      query: z.object({ with: uuid().optional(), change: DiscoveryChange.optional(), ...pageQuery }),
      answer: DiscoveryDifference,
      access: { action: 'detail', object: 'uuid' },
      also: [{ resource: 'discoveries', action: 'detail', where: 'another discovery is named, on it' }],
    },
  },
);
