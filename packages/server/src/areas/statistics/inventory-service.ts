// Use cases of the statistics that count certificates individually: the composition of the inventory, and the renewal
// of expired certificates. They are limited to certificates that the caller can list, through any kind of permission.
import type { CertificateComposition, EndedCertificates, RenewalHealth, RenewalOutcome } from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { visibleCertificates } from '../certificates/index.ts';
import { countSequentially } from './count-sequentially.ts';
import { presentComposition, presentEndedPage, presentRenewals, renewalsSince } from './present-inventory.ts';
import { createResultCache } from './result-cache.ts';
import { composition } from './store-composition.ts';
import { countRenewals, findEnded } from './store-renewals.ts';

/** Counting a million certificates takes a few seconds. Users wait for this once, and the result is then cached. */
const COUNTING_LIMIT_MS = 20_000;

export type InventoryStatistics = ReturnType<typeof createInventoryStatistics>;

interface Archive {
  readonly includeArchived: boolean;
}

export interface EndedSelection extends Archive {
  readonly outcome?: RenewalOutcome | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly itemsPerPage: number;
  readonly pageNumber: number;
}

export function createInventoryStatistics({ database, clock, log }: Platform) {
  const remembered = createResultCache({ clock, log });
  // There are many pages, and they must not evict the figures.
  const pages = createResultCache({ clock, log });
  const limits = { database, limitMs: COUNTING_LIMIT_MS, advice: 'try again when the database is less busy' };
  const counted = ({ includeArchived }: Archive, context: RequestContext) => ({
    includeArchived,
    visible: visibleCertificates(context, 'list'),
  });

  return {
    composition(archive: Archive, context: RequestContext): Promise<CertificateComposition> {
      const groups = visibleObjects(context.actor.permissions, 'groups', 'list');
      const query = { ...counted(archive, context), groups };
      return remembered.recall(['composition', query], async () => {
        const now = clock.now();
        const rows = await countSequentially(limits, (executor) => composition(executor, { ...query, now }));
        return presentComposition(rows, now);
      });
    },

    renewals(archive: Archive, context: RequestContext): Promise<RenewalHealth> {
      const query = counted(archive, context);
      return remembered.recall(['renewals', query], async () => {
        const now = clock.now();
        const period = { from: renewalsSince(now), until: now };
        const counts = await countSequentially(limits, (executor) => countRenewals(executor, { ...query, ...period }));
        return presentRenewals(counts, now);
      });
    },

    /** The page and the bounds of its period refer to the time at which the certificates were counted. */
    ended(selection: EndedSelection, context: RequestContext): Promise<EndedCertificates> {
      const { outcome, from, until, itemsPerPage, pageNumber } = selection;
      const query = { ...counted(selection, context), outcome, itemsPerPage, pageNumber };
      return pages.recall(['ended', query, from, until], async () => {
        const now = clock.now();
        const page = {
          ...query,
          from: latest(renewalsSince(now), from),
          until: earliest(now, until),
          // One extra row is fetched to determine whether there is a next page.
          limit: itemsPerPage + 1,
          offset: (pageNumber - 1) * itemsPerPage,
        };
        const rows = await countSequentially(limits, (executor) => findEnded(executor, page));
        return presentEndedPage(rows, { now, itemsPerPage });
      });
    },
  };
}

const latest = (bound: Date, asked: string | undefined): Date =>
  asked === undefined ? bound : new Date(Math.max(bound.getTime(), Date.parse(asked)));
const earliest = (bound: Date, asked: string | undefined): Date =>
  asked === undefined ? bound : new Date(Math.min(bound.getTime(), Date.parse(asked)));
