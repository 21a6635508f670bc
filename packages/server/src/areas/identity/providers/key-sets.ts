// Keys of all providers: stored by an administrator, or published by the provider. Published keys are fetched again
// every few minutes, and whenever a token references an unknown key. While the provider is unreachable, the last known
// keys remain valid for an hour.
import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ProviderRow } from '../tables.ts';
import { KeySetError, presentKey, readKeySet, readStoredKeySet, type ProviderKey } from './key-set.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';
import { UnknownKey } from './verify-token.ts';

export const REFRESH_MS = 5 * 60_000;
export const LONGEST_USE_MS = 60 * 60_000;
/** Minimum time between two fetches of a provider's keys, regardless of the tokens received. */
export const PAUSE_MS = 30_000;

interface Entry {
  /** URL or stored set; a different one creates a new entry. */
  readonly source: string;
  /** Remains the same object while the keys are unchanged. */
  keys: readonly ProviderKey[] | undefined;
  fetchedAtMs: number;
  triedAtMs: number;
  pending: Promise<void> | undefined;
}

type KeySource = Pick<ProviderRow, 'name' | 'settings'>;

export type KeySets = ReturnType<typeof createKeySets>;

export function createKeySets({ clock, log }: Platform, { http }: { readonly http: ProviderHttp }) {
  const entries = new Map<string, Entry>();
  const elapsedSince = (timeMs: number) => clock.monotonicMs() - timeMs;

  function entryOf({ name, settings: { jwkSetUrl, jwkSet } }: KeySource): Entry {
    const source = jwkSetUrl ?? jwkSet ?? '';
    const known = entries.get(name);
    if (known?.source === source) return known;
    const keys = jwkSetUrl === undefined ? readStoredKeySet(source) : undefined;
    const entry = { source, keys, fetchedAtMs: -Infinity, triedAtMs: -Infinity, pending: undefined };
    entries.set(name, entry);
    return entry;
  }

  async function refetch(name: string, entry: Entry): Promise<void> {
    entry.triedAtMs = clock.monotonicMs();
    try {
      const keys = await fetchKeySet(http, entry.source);
      if (entry.keys === undefined || textOf(keys) !== textOf(entry.keys)) entry.keys = keys;
      entry.fetchedAtMs = clock.monotonicMs();
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      log.warn({ provider: name, address: entry.source, reason: error.message }, 'cannot fetch the keys of a provider');
    }
  }

  /** Fetches the keys, with only one call at a time and a minimum delay between calls. */
  const refresh = (name: string, entry: Entry): Promise<void> => {
    if (entry.pending) return entry.pending;
    if (elapsedSince(entry.triedAtMs) < PAUSE_MS) return Promise.resolve();
    entry.pending = refetch(name, entry).finally(() => (entry.pending = undefined));
    return entry.pending;
  };

  /** Returns the current keys; throws `unavailable` if there are none that can still be used. */
  async function current(provider: KeySource): Promise<readonly ProviderKey[]> {
    const entry = entryOf(provider);
    if (provider.settings.jwkSetUrl !== undefined) {
      if (elapsedSince(entry.fetchedAtMs) > LONGEST_USE_MS) await refresh(provider.name, entry);
      else if (elapsedSince(entry.fetchedAtMs) > REFRESH_MS) void refresh(provider.name, entry);
      if (elapsedSince(entry.fetchedAtMs) > LONGEST_USE_MS) entry.keys = undefined;
    }
    if (entry.keys) return entry.keys;
    throw new AppError('unavailable', {
      reason: `the keys of the identity provider ${provider.name} are not available`,
    });
  }

  /** Returns newer keys after a token referenced a key that is not among the given ones. */
  async function refreshForUnknownKey(
    provider: KeySource,
    seen: readonly ProviderKey[],
  ): Promise<readonly ProviderKey[]> {
    const entry = entryOf(provider);
    if (provider.settings.jwkSetUrl !== undefined && entry.keys === seen) await refresh(provider.name, entry);
    return current(provider);
  }

  return { current, refreshForUnknownKey };
}

/** Verifies with a provider's keys. If the token references an unknown key, verifies again with newer keys. */
export async function withKeysOf<Result>(
  keySets: KeySets,
  provider: KeySource,
  verify: (keys: readonly ProviderKey[]) => Promise<Result>,
): Promise<Result> {
  const keys = await keySets.current(provider);
  try {
    return await verify(keys);
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    return verify(await keySets.refreshForUnknownKey(provider, keys));
  }
}

/** Fetches a key set; throws `ProviderFault` if the URL returns no keys. */
export async function fetchKeySet(http: ProviderHttp, address: string): Promise<readonly ProviderKey[]> {
  const answered = await http.getJson(address);
  try {
    return readKeySet(answered);
  } catch (error) {
    if (error instanceof KeySetError) throw new ProviderFault(`returned a JWK set that ${error.message}`);
    throw error;
  }
}

const textOf = (keys: readonly ProviderKey[]): string => JSON.stringify(keys.map(presentKey));
