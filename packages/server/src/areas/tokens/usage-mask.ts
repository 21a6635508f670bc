// Key usages as a sum of bits, the format stored in token profiles. Pure.
import { KeyUsage, keyUsageBit } from '@signetry/contract';

/** Returns the sum of the bits of the usages, as stored. */
export const usageMask = (usages: readonly KeyUsage[]): number =>
  [...new Set(usages)].reduce((mask, usage) => mask + keyUsageBit[usage], 0);

/** Returns the usages in the order of the API. */
export const usagesOf = (mask: number): KeyUsage[] =>
  KeyUsage.options.filter((usage) => (mask & keyUsageBit[usage]) !== 0);
