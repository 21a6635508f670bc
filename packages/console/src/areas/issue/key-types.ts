// The kinds of keys that this browser can generate.
import { queryOptions } from '@tanstack/react-query';
import { canMakeKeys } from './make-key.ts';
import { webKeyTypes, type WebKeyName, type WebKeyType } from './web-signatures.ts';

const all = Object.keys(webKeyTypes) as WebKeyName[]; // the names of a constant

const types: Readonly<Record<WebKeyName, WebKeyType>> = webKeyTypes;

/** Every browser has these. */
export const usualKeys: readonly WebKeyName[] = all.filter((name) => types[name].isNew !== true);

/** Newer ones are tried: nothing else tells for certain that a browser has them. */
export const possibleKeysQuery = queryOptions({
  queryKey: ['possible-keys'],
  queryFn: async (): Promise<readonly WebKeyName[]> => {
    if (!canMakeKeys()) return [];
    const possible = await Promise.all(all.map(async (name) => usualKeys.includes(name) || canGenerate(types[name])));
    return all.filter((_, place) => possible[place]);
  },
  staleTime: Infinity,
});

async function canGenerate({ generate }: WebKeyType): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(generate, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}
