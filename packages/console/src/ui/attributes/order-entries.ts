// The order of the values of a list. Pure.
import type { Entry } from './attribute-values.ts';

export const added = (entries: readonly Entry[], entry: Entry): readonly Entry[] => [...entries, entry];

export const without = (entries: readonly Entry[], place: number): readonly Entry[] => entries.toSpliced(place, 1);

/** One place up (-1) or down (1); where there is no such place, everything stays. */
export function moved(entries: readonly Entry[], place: number, by: -1 | 1): readonly Entry[] {
  const entry = entries[place];
  const to = place + by;
  if (!entry || to < 0 || to >= entries.length) return entries;
  return entries.toSpliced(place, 1).toSpliced(to, 0, entry);
}

/**
 * A stored secret is not shown, and the platform knows by its place which one is meant: it stays there, and so does
 * everything above it.
 */
export const isFixedPlace = (entries: readonly Entry[], place: number): boolean =>
  entries.slice(place).some(({ item, state }) => item !== undefined && state.control === 'secret');
