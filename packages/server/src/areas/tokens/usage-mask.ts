// Usages of keys as the sum of their bits, as token profiles keep them. Pure.
import { KeyUsage, keyUsageBit } from '@signetry/contract';

/** Sum of the bits of the usages, as it is stored. */
export const usageMask = (usages: readonly KeyUsage[]): number =>
  [...new Set(usages)].reduce((mask, usage) => mask + keyUsageBit[usage], 0);

/** In the order of the interface. */
export const usagesOf = (mask: number): KeyUsage[] =>
  KeyUsage.options.filter((usage) => (mask & keyUsageBit[usage]) !== 0);
