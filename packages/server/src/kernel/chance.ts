// Chance, where something is to happen to some of many.
import { randomInt } from 'node:crypto';

/** True for this share of calls: never at 0, always at 100. */
export const happens = (percent: number): boolean => randomInt(100) < percent;

/** A number from 0 up to 1, for pauses that differ between nodes. */
export const chance = (): number => randomInt(1_000_000) / 1_000_000;
