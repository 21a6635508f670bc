// Reorders the values in a list. Pure.
import type { Entry } from './attribute-values.ts';

export const addEntry = (entries: readonly Entry[], entry: Entry): readonly Entry[] => [...entries, entry];

export const removeEntry = (entries: readonly Entry[], place: number): readonly Entry[] => entries.toSpliced(place, 1);

/** Moves an entry up (-1) or down (1). Returns the entries unchanged if it is already at that end. */
export function moveEntry(entries: readonly Entry[], place: number, by: -1 | 1): readonly Entry[] {
  const entry = entries[place];
  const to = place + by;
  if (!entry || to < 0 || to >= entries.length) return entries;
  return entries.toSpliced(place, 1).toSpliced(to, 0, entry);
}

/**
 * Stored secrets are not returned, and the platform identifies them by position, so a secret and all entries above it
 * cannot move.
 */
export const isFixedPosition = (entries: readonly Entry[], place: number): boolean =>
  entries.slice(place).some(({ item, state }) => item !== undefined && state.control === 'secret');
