// RA profile lookups for other areas. Only `findAnyByName` returns internal profiles.
import type { Executor } from '../../platform/database/database.ts';
import { factsOf, type RaProfileFacts } from './ra-profile-facts.ts';
import { findByAuthority, findOfferedNames, raProfiles } from './store.ts';
import type { RaProfileRow } from './tables.ts';

export interface Lookups {
  findByUuid(uuid: string): Promise<RaProfileFacts | undefined>;
  findByName(name: string): Promise<RaProfileFacts | undefined>;
  /** Returns the profile even if it is internal, for the platform's own certificates. */
  findAnyByName(name: string): Promise<RaProfileFacts | undefined>;
  findMany(uuids: readonly string[]): Promise<RaProfileFacts[]>;
  /** Returns a profile's authority; undefined if the profile or its authority no longer exists. */
  authorityOf(raProfileUuid: string): Promise<string | undefined>;
  /** Returns the CA certificates that sign for an authority's profiles. */
  caCertificateUuids(authorityUuid: string): Promise<string[]>;
  /** Returns the UUIDs and names of the profiles that are available to callers, for filters. */
  listNames(): Promise<{ uuid: string; name: string }[]>;
}

export const createLookups = (executor: Executor): Lookups => ({
  findByUuid: async (uuid) => offeredFacts(await raProfiles.findOne(executor, uuid)),
  findByName: async (name) => offeredFacts(await raProfiles.findByName(executor, name)),
  findAnyByName: async (name) => {
    const row = await raProfiles.findByName(executor, name);
    return row && factsOf(row);
  },
  findMany: async (uuids) => (await raProfiles.findMany(executor, uuids)).flatMap((row) => offeredFacts(row) ?? []),
  authorityOf: async (uuid) => (await raProfiles.findOne(executor, uuid))?.authority_uuid ?? undefined,
  caCertificateUuids: async (authorityUuid) => {
    const rows = await findByAuthority(executor, authorityUuid);
    return [...new Set(rows.flatMap(({ ca_certificate_uuid: uuid }) => (uuid === null ? [] : [uuid])))];
  },
  listNames: () => findOfferedNames(executor),
});

const offeredFacts = (row: RaProfileRow | undefined): RaProfileFacts | undefined =>
  row === undefined || row.internal ? undefined : factsOf(row);
