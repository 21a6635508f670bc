// The selected certificates of the inventory: row by row, over several pages, or all that match the search.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount } from '../../format/names.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { selectionOf } from '../../queries/certificates.ts';
import { notify } from '../../ui/notices.tsx';
import type { ListedCertificate } from './shapes.ts';

/** Of the search operation. */
const MAX_PAGE = 1_000;

/** More are not revoked by a click; the platform has operations for that. */
const MAX_SELECTED = 10_000;

type Selection = ReadonlyMap<string, ListedCertificate>;

const nothing: Selection = new Map();

export interface CertificateSelection {
  readonly chosen: readonly ListedCertificate[];
  readonly keys: ReadonlySet<string>;
  readonly isCollecting: boolean;
  readonly clear: () => void;
  /** By identifier: earlier ones stay as they were, new ones are rows of the page. */
  readonly choose: (keys: ReadonlySet<string>, rows: readonly ListedCertificate[]) => void;
  /** All that match, on whichever page they are. */
  readonly chooseAll: () => void;
}

export function useSelection(search: CertificateSearch): CertificateSelection {
  const { text, filters } = search;
  // What another search does not show is not selected either.
  const wanted = JSON.stringify([text, filters]);
  const [{ of, selection }, set] = useState({ of: wanted, selection: nothing });
  const shown = of === wanted ? selection : nothing;
  const keep = (next: Selection): void => set({ of: wanted, selection: next });
  const all = useMutation({ mutationFn: () => collect({ text, filters }), onSuccess: keep, onError: notify.failed });
  return {
    chosen: [...shown.values()],
    keys: new Set(shown.keys()),
    isCollecting: all.isPending,
    clear: () => keep(nothing),
    choose: (keys, rows) => {
      const known = new Map([...shown, ...rows.map((row) => [row.uuid, row] as const)]);
      keep(new Map([...known].filter(([uuid]) => keys.has(uuid))));
    },
    chooseAll: () => all.mutate(),
  };
}

async function collect(search: Pick<CertificateSearch, 'text' | 'filters'>): Promise<Selection> {
  const found = new Map<string, ListedCertificate>();
  for (let pageNumber = 1, pages = 1; pageNumber <= pages; pageNumber += 1) {
    const body = { ...selectionOf(search), pageNumber, itemsPerPage: MAX_PAGE };
    const { certificates, totalItems, totalPages } = await api.certificateSearch.searchCertificates({ body });
    if (totalItems > MAX_SELECTED)
      throw new Error(`More than ${formatCount(MAX_SELECTED)} certificates match. Narrow the search first.`);
    for (const certificate of certificates) found.set(certificate.uuid, certificate);
    pages = totalPages;
  }
  return found;
}
