// Random decisions and values.
import { randomInt } from 'node:crypto';

/** Returns true for this percentage of calls: never at 0, always at 100. */
export const happens = (percent: number): boolean => randomInt(100) < percent;

/** Returns a random number from 0 to below 1, for delays that differ between nodes. */
export const chance = (): number => randomInt(1_000_000) / 1_000_000;
