// Protocols that serve certificates under an RA profile's name. Their servers are in a higher tier and register here.
import type { Executor } from '../../platform/database/database.ts';

export interface RaProfileProtocol {
  /** Name in the API; EST is an extension of the specification. */
  readonly name: 'ACME' | 'CMP' | 'EST' | 'SCEP';
  /** Returns the subset of these RA profiles on which the protocol is activated. */
  activatedOn(executor: Executor, raProfileUuids: readonly string[]): Promise<readonly string[]>;
}

/** Returns the sorted protocol names for each RA profile; the list is empty if it has no protocols. */
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
