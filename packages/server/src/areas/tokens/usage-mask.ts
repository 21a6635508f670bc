// Key usages as a sum of bits, which is the format stored in token profiles. Pure.
import { KeyUsage, keyUsageBit } from '@signetry/contract';

/** Returns the sum of the usage bits, as stored. */
export const usageMask = (usages: readonly KeyUsage[]): number =>
  [...new Set(usages)].reduce((mask, usage) => mask + keyUsageBit[usage], 0);

/** Returns the usages in API order. */
export const usagesOf = (mask: number): KeyUsage[] =>
  KeyUsage.options.filter((usage) => (mask & keyUsageBit[usage]) !== 0);
