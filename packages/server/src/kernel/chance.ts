// Chance, where something is to happen to some of many.
import { randomInt } from 'node:crypto';

/** True for this share of calls: never at 0, always at 100. */
export const happens = (percent: number): boolean => randomInt(100) < percent;
