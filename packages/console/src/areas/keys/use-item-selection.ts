// The rows selected in the key list, across pages. A different search clears the selection.
import type { KeyItemDto } from '@signetry/contract';
import { useState } from 'react';
import type { KeySearch } from '../../queries/key-search.ts';

type Rows = ReadonlyMap<string, KeyItemDto>;
const nothing: Rows = new Map();

export interface ItemSelection {
  readonly chosen: readonly KeyItemDto[];
  readonly keys: ReadonlySet<string>;
  /**
   * Selects by UUID. Rows that were selected earlier are kept; newly selected ones are taken from the rows on the page.
   */
  readonly choose: (keys: ReadonlySet<string>, rows: readonly KeyItemDto[]) => void;
  readonly clear: () => void;
}

export function useItemSelection({ text, filters }: KeySearch): ItemSelection {
  const wanted = JSON.stringify([text, filters]);
  const [held, hold] = useState({ of: wanted, rows: nothing });
  const shown = held.of === wanted ? held.rows : nothing;
  return {
    chosen: [...shown.values()],
    keys: new Set(shown.keys()),
    choose: (keys, rows) => {
      const known = new Map([...shown, ...rows.map((row) => [row.uuid, row] as const)]);
      hold({ of: wanted, rows: new Map([...known].filter(([uuid]) => keys.has(uuid))) });
    },
    clear: () => hold({ of: wanted, rows: nothing }),
  };
}
