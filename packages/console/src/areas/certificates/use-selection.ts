// The certificates selected in the inventory: individual rows, on one or more pages, or all that match the search.
import type { CertificateChoice } from '@signetry/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { selectionOf } from '../../queries/certificates.ts';
import { notify } from '../../ui/notices.tsx';
import type { ListedCertificate } from './shapes.ts';

/** Maximum page size that the search operation accepts. */
const MAX_PAGE = 1_000;

/** Larger sets are not fetched; operations on them use the search filters instead. */
export const MAX_SELECTED = 10_000;

type Rows = ReadonlyMap<string, ListedCertificate>;

interface Selection {
  readonly rows: Rows;
  readonly beyond?: AllMatching;
}

/**
 * Represents all matching certificates if there are too many to fetch. In this case, the rows are those on the current
 * page.
 */
export interface AllMatching {
  readonly selection: CertificateChoice;
  readonly count: number;
  /** Whether the platform stopped counting when it reached this number. */
  readonly isAtLeast: boolean;
}

type MatchCriteria = Pick<CertificateSearch, 'text' | 'filters' | 'archived'>;

const nothing: Selection = { rows: new Map() };

export interface CertificateSelection {
  readonly chosen: readonly ListedCertificate[];
  readonly keys: ReadonlySet<string>;
  readonly beyond: AllMatching | undefined;
  readonly isCollecting: boolean;
  readonly clear: () => void;
  /**
   * Selects by UUID. Rows that were selected earlier are kept; newly selected ones are taken from the rows on the page.
   */
  readonly choose: (keys: ReadonlySet<string>, rows: readonly ListedCertificate[]) => void;
  /** Selects all matching certificates on all pages; `rows` are those on the current page. */
  readonly chooseAll: (rows: readonly ListedCertificate[]) => void;
}

export function useSelection(search: CertificateSearch): CertificateSelection {
  const { text, filters, archived } = search;
  // A different search clears the selection.
  const wanted = JSON.stringify([text, filters, archived]);
  const [{ of, selection }, set] = useState({ of: wanted, selection: nothing });
  const shown = of === wanted ? selection : nothing;
  const storeSelection = (next: Selection): void => set({ of: wanted, selection: next });
  const all = useMutation({
    mutationFn: (rows: readonly ListedCertificate[]) => collect({ text, filters, archived }, rows),
    onSuccess: storeSelection,
    onError: notify.failed,
  });
  return {
    chosen: [...shown.rows.values()],
    keys: new Set(shown.rows.keys()),
    beyond: shown.beyond,
    isCollecting: all.isPending,
    clear: () => storeSelection(nothing),
    choose: (keys, rows) => {
      const known = new Map([...shown.rows, ...byUuid(rows)]);
      storeSelection({ rows: new Map([...known].filter(([uuid]) => keys.has(uuid))) });
    },
    chooseAll: all.mutate,
  };
}

const byUuid = (rows: readonly ListedCertificate[]): Rows => new Map(rows.map((row) => [row.uuid, row]));

async function collect(search: MatchCriteria, inSight: readonly ListedCertificate[]): Promise<Selection> {
  const found = new Map<string, ListedCertificate>();
  let cursor: string | undefined;
  do {
    const body = { ...selectionOf(search), itemsPerPage: MAX_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.certificateSearch.searchCertificates({ body });
    const { totalItems, totalIsExact } = page;
    // The platform may have stopped counting at exactly this number.
    if (totalItems > MAX_SELECTED || !totalIsExact)
      return {
        rows: byUuid(inSight),
        beyond: { selection: choiceOf(search), count: totalItems, isAtLeast: !totalIsExact },
      };
    for (const certificate of page.certificates) found.set(certificate.uuid, certificate);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { rows: found };
}

/** Rejects a choice without text or filters, so that one click cannot change the whole inventory. */
function choiceOf({ text, filters = [], archived }: MatchCriteria): CertificateChoice {
  if (text !== undefined || filters.length > 0) return selectionOf({ text, filters, archived });
  throw new Error(
    `Cannot select all: more than ${formatCount(MAX_SELECTED)} certificates match. Narrow the search first.`,
  );
}
