// RA profiles as other areas look them up. Internal ones are found only by the function that says so.
import type { Executor } from '../../platform/database/database.ts';
import { factsOf, type RaProfileFacts } from './domain.ts';
import type { RaProfiles } from './index.ts';
import { findOfAuthority, findOfferedNames, raProfiles } from './store.ts';
import type { RaProfileRow } from './tables.ts';

type Lookups = Pick<
  RaProfiles,
  'findByUuid' | 'findByName' | 'findAnyByName' | 'findMany' | 'authorityOf' | 'caCertificateUuids' | 'listNames'
>;

export const createLookups = (executor: Executor): Lookups => ({
  findByUuid: async (uuid) => offered(await raProfiles.findOne(executor, uuid)),
  findByName: async (name) => offered(await raProfiles.findByName(executor, name)),
  findAnyByName: async (name) => {
    const row = await raProfiles.findByName(executor, name);
    return row && factsOf(row);
  },
  findMany: async (uuids) => (await raProfiles.findMany(executor, uuids)).flatMap((row) => offered(row) ?? []),
  authorityOf: async (uuid) => (await raProfiles.findOne(executor, uuid))?.authority_uuid ?? undefined,
  caCertificateUuids: async (authorityUuid) => {
    const rows = await findOfAuthority(executor, authorityUuid);
    return [...new Set(rows.flatMap(({ ca_certificate_uuid: uuid }) => (uuid === null ? [] : [uuid])))];
  },
  listNames: () => findOfferedNames(executor),
});

const offered = (row: RaProfileRow | undefined): RaProfileFacts | undefined =>
  row === undefined || row.internal ? undefined : factsOf(row);
