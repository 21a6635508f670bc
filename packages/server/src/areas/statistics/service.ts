// Use cases of the statistics: figures that are limited to what the caller can list, and counter repair.
import type {
  CertificateBreakdown,
  CertificateSeriesEntry,
  CertificateSeriesStep,
  Resource,
  StatisticsDto,
  StatisticsRebuildReport,
} from '@signetry/contract';
import { isUnlimited, showsAny, visibleObjects, type ObjectFilter, type RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { listedRaProfiles } from '../certificates/index.ts';
import { countSequentially } from './count-sequentially.ts';
import { comingDays, expiryBounds, fillSeries, lastDays } from './expiry-buckets.ts';
import { presentBreakdown, presentStatistics } from './present.ts';
import * as store from './store.ts';
import * as upkeep from './store-upkeep.ts';

const ISSUED_DAYS = 90;
const EXPIRY_DAYS = 365;
const DAYS_PER_STEP: Readonly<Record<CertificateSeriesStep, number>> = { day: 1, week: 7 };
/** Maximum number of wrong counters that a report lists. */
const MAX_EXAMPLES = 20;

/**
 * Counting certificates individually takes about 9 µs per certificate, so this limit allows for about 500,000. Users
 * wait for the page to load.
 */
const COUNTING_LIMIT_MS = 5_000;
const ADVICE =
  'it is fast for users who can list all certificates, and for members of RA profiles with fewer certificates';

export type StatisticsService = ReturnType<typeof createStatisticsService>;

interface Archive {
  readonly includeArchived: boolean;
}

export function createStatisticsService(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly countingLimitMs?: number },
) {
  const { countingLimitMs = COUNTING_LIMIT_MS } = areas;
  const { database, clock } = platform;
  const read = <Result>(raProfiles: ObjectFilter, query: (executor: Executor) => Promise<Result>): Promise<Result> =>
    isUnlimited(raProfiles)
      ? query(database.executor)
      : countSequentially({ database, limitMs: countingLimitMs, advice: ADVICE }, query);

  async function dashboard({ includeArchived }: Archive, context: RequestContext): Promise<StatisticsDto> {
    const bounds = expiryBounds(clock.now());
    const raProfiles = listedRaProfiles(context);
    const listed = listedObjects(context);
    const query = { includeArchived, bounds, raProfiles, listed };
    return presentStatistics(await read(raProfiles, (executor) => store.countAll(executor, query)), {
      certificates: showsAny(raProfiles),
      groups: showsAny(listed.groups),
      raProfiles: showsAny(listed.raProfiles) && showsAny(listed.authorities),
    });
  }

  async function breakdown({ includeArchived }: Archive, context: RequestContext): Promise<CertificateBreakdown> {
    const dimensions = ['state', 'publicKeyAlgorithm', 'signatureAlgorithm', 'protocol'] as const;
    const raProfiles = listedRaProfiles(context);
    const query = { includeArchived, raProfiles, dimensions };
    return presentBreakdown(await read(raProfiles, (executor) => store.countBy(executor, query)));
  }

  async function issued({ includeArchived }: Archive, context: RequestContext): Promise<CertificateSeriesEntry[]> {
    const series = lastDays(clock.now(), ISSUED_DAYS);
    const query = { includeArchived, raProfiles: listedRaProfiles(context), ...series };
    return fillSeries(series, await read(query.raProfiles, (executor) => store.countIssued(executor, query)));
  }

  async function expiring(
    { includeArchived, step }: Archive & { readonly step: CertificateSeriesStep },
    context: RequestContext,
  ): Promise<CertificateSeriesEntry[]> {
    const series = comingDays(clock.now(), EXPIRY_DAYS, DAYS_PER_STEP[step]);
    const query = { includeArchived, raProfiles: listedRaProfiles(context), ...series };
    return fillSeries(series, await read(query.raProfiles, (executor) => store.countExpiring(executor, query)));
  }

  return {
    dashboard,
    breakdown,
    issued,
    expiring,
    rebuild: (context: RequestContext): Promise<StatisticsRebuildReport> => rebuild(platform, areas.audit, context),
  };
}

function listedObjects({ actor }: RequestContext): store.ListedObjects {
  const listed = (resource: Resource) => visibleObjects(actor.permissions, resource, 'list');
  return {
    groups: listed('groups'),
    raProfiles: listed('raProfiles'),
    authorities: listed('authorities'),
    connectors: listed('connectors'),
    credentials: listed('credentials'),
  };
}

/** Replaces the counters with current counts, in a single transaction that does not block writers or readers. */
async function rebuild(
  { database, clock, log }: Platform,
  audit: AuditTrail,
  context: RequestContext,
): Promise<StatisticsRebuildReport> {
  const rebuiltAt = clock.now().toISOString();
  const wrong = await database.transaction(async (tx) => {
    await upkeep.lock(tx);
    const found = await upkeep.rebuild(tx);
    await audit.append(tx, context, { data: { wrongCounters: found.length } });
    return found;
  });
  const examples = wrong.slice(0, MAX_EXAMPLES);
  if (wrong.length > 0) log.warn({ wrongCounters: wrong.length, examples }, 'statistics counters were wrong');
  // The examples cover all certificates, so only callers who can list all of them may see the examples.
  const mayTell = isUnlimited(listedRaProfiles(context));
  return { rebuiltAt, wrongCounters: wrong.length, examples: mayTell ? examples : [] };
}
