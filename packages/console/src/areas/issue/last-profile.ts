// The RA profile last used in this browser, and the order in which profiles are offered.
import type { IssuingProfile } from '../../queries/ra-profiles.ts';

const KEY = 'signetry-last-ra-profile';

export function rememberProfile(uuid: string): void {
  try {
    localStorage.setItem(KEY, uuid);
  } catch {
    // Without storage, profiles are offered in their default order.
  }
}

export function lastProfile(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export interface ProfileGroup {
  readonly group: string;
  readonly profiles: readonly IssuingProfile[];
}

/** Moves the last used profile to the top and omits empty groups. */
export function groupedProfiles(
  profiles: readonly IssuingProfile[],
  last: string | undefined,
): readonly ProfileGroup[] {
  const used = profiles.filter(({ uuid }) => uuid === last);
  return [
    { group: 'Last used', profiles: used },
    { group: 'RA profiles', profiles: profiles.filter(({ uuid }) => uuid !== last) },
  ].filter(({ profiles: each }) => each.length > 0);
}
