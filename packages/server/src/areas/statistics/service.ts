// Use cases of the statistics: figures as far as the caller may list what they are about, and the repair of counters.
import type {
  CertificateBreakdown,
  CertificateSeriesEntry,
  CertificateSeriesStep,
  StatisticsDto,
  StatisticsRebuildReport,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { comingDays, expiryBounds, fillSeries, lastDays } from './domain.ts';
import { presentBreakdown, presentStatistics } from './present.ts';
import * as store from './store.ts';
import * as upkeep from './store-upkeep.ts';

const ISSUED_DAYS = 90;
const EXPIRY_DAYS = 365;
const DAYS_PER_STEP: Readonly<Record<CertificateSeriesStep, number>> = { day: 1, week: 7 };
/** Wrong counters that a report names. */
const MAX_EXAMPLES = 20;

export type StatisticsService = ReturnType<typeof createStatisticsService>;

interface Archive {
  readonly includeArchived: boolean;
}

export function createStatisticsService(platform: Platform, areas: { readonly audit: AuditTrail }) {
  const { database, clock, log } = platform;

  async function dashboard({ includeArchived }: Archive, { actor }: RequestContext): Promise<StatisticsDto> {
    const bounds = expiryBounds(clock.now());
    const mayList = (resource: 'certificates' | 'groups' | 'raProfiles') =>
      isAllowed(actor.permissions, resource, 'list');
    const visible = {
      certificates: mayList('certificates'),
      groups: mayList('groups'),
      raProfiles: mayList('raProfiles'),
    };
    return presentStatistics(await store.countAll(database.executor, { includeArchived, bounds }), visible);
  }

  async function breakdown({ includeArchived }: Archive): Promise<CertificateBreakdown> {
    const dimensions = ['state', 'publicKeyAlgorithm', 'signatureAlgorithm', 'protocol'] as const;
    return presentBreakdown(await store.countBy(database.executor, { includeArchived, dimensions }));
  }

  async function issued({ includeArchived }: Archive): Promise<CertificateSeriesEntry[]> {
    const series = lastDays(clock.now(), ISSUED_DAYS);
    return fillSeries(series, await store.countIssued(database.executor, { includeArchived, ...series }));
  }

  async function expiring({
    includeArchived,
    step,
  }: Archive & { readonly step: CertificateSeriesStep }): Promise<CertificateSeriesEntry[]> {
    const series = comingDays(clock.now(), EXPIRY_DAYS, DAYS_PER_STEP[step]);
    return fillSeries(series, await store.countExpiring(database.executor, { includeArchived, ...series }));
  }

  /** Counters are replaced by what is counted now, in one transaction that neither writers nor readers wait for. */
  async function rebuild(context: RequestContext): Promise<StatisticsRebuildReport> {
    const rebuiltAt = clock.now().toISOString();
    const wrong = await database.transaction(async (tx) => {
      await upkeep.lock(tx);
      const found = await upkeep.rebuild(tx);
      await areas.audit.append(tx, context, { data: { wrongCounters: found.length } });
      return found;
    });
    const examples = wrong.slice(0, MAX_EXAMPLES);
    if (wrong.length > 0) log.warn({ wrongCounters: wrong.length, examples }, 'counters of the statistics were wrong');
    return { rebuiltAt, wrongCounters: wrong.length, examples };
  }

  return { dashboard, breakdown, issued, expiring, rebuild };
}
