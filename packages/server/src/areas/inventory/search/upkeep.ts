// Background maintenance for searches: trigram indexes, texts, and blocks of the certificate list.
import type { Rounds } from '../../../platform/jobs/rounds.ts';
import type { DerivedData, Platform } from '../../../platform/platform.ts';
import { createBlockCheck, createBlockUpkeep } from './blocks.ts';
import { createTextUpkeep } from './store-text-upkeep.ts';
import { createTextIndex } from './text-index.ts';

export const createSearchUpkeep = (platform: Platform): Rounds => {
  const all = [createTextIndex(platform), createBlockUpkeep(platform)];
  return {
    start: (delayMs) => all.forEach((rounds) => rounds.start(delayMs)),
    stop: async () => void (await Promise.all(all.map((rounds) => rounds.stop()))),
  };
};

export const derivedDataOfSearches = (platform: Platform): readonly DerivedData[] => [
  createTextUpkeep(platform),
  createBlockCheck(platform),
];
