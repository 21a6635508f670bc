// Which protocols serve certificates under the name of an RA profile. Their servers stand above this area and register
// here.
import type { Executor } from '../../platform/database/database.ts';

export interface RaProfileProtocol {
  /** As the interface names it; EST is beyond the published one. */
  readonly name: 'ACME' | 'CMP' | 'EST' | 'SCEP';
  /** Those of the RA profiles that it is activated on. */
  activatedOn(executor: Executor, raProfileUuids: readonly string[]): Promise<readonly string[]>;
}

/** Names of the protocols by RA profile, in alphabetical order; an RA profile without any has an empty list. */
export async function protocolNames(
  executor: Executor,
  { protocols, raProfileUuids }: { protocols: readonly RaProfileProtocol[]; raProfileUuids: readonly string[] },
): Promise<ReadonlyMap<string, string[]>> {
  const names = new Map<string, string[]>(raProfileUuids.map((uuid) => [uuid, []]));
  if (raProfileUuids.length === 0) return names;
  for (const protocol of protocols.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    for (const uuid of await protocol.activatedOn(executor, raProfileUuids)) names.get(uuid)?.push(protocol.name);
  return names;
}
