// Revocations that the list of a shard does not name yet. Only a list that is published and about the certificate can
// be behind: one that nobody has fetched has everything when it is, and one without the address of the certificate is
// asked for again by schedule (SHARD_RECHECK_MS), with everything as well.
import { crlShardOf } from '@signetry/contract';
import { isInScope, PkiError, type Certificate } from '@signetry/pki';
import { shardKind, type ShardKind } from '../publication-times.ts';
import { shows, type PublishedCrl, type PublishedCrls, type Revocation } from './published-crls.ts';
import type { CrlRefresher, RefreshRequest } from './refresh-crl.ts';

export interface AwaitedRevocation extends Revocation {
  readonly certificate: Certificate;
}

export type AwaitedShards = ReturnType<typeof createAwaitedShards>;

export function createAwaitedShards({
  published,
  refresh,
}: {
  readonly published: Pick<PublishedCrls, 'findFresh'>;
  readonly refresh: CrlRefresher;
}) {
  /** Those that the published list of their shard does not show. */
  async function behind(
    authorityUuid: string,
    revocations: readonly AwaitedRevocation[],
  ): Promise<ReadonlySet<AwaitedRevocation>> {
    const missing = new Set<AwaitedRevocation>();
    for (const [kind, members] of byShard(revocations)) {
      const list = await published.findFresh({ authorityUuid, kind });
      for (const member of members) if (isBehind(list, member)) missing.add(member);
    }
    return missing;
  }

  return {
    behind,

    /**
     * Fetches the lists that are behind. One that cannot be had holds up no other: it is logged there, and stays
     * behind.
     */
    async publish(
      revocations: readonly AwaitedRevocation[],
      turn: Omit<RefreshRequest, 'kind' | 'isNeeded'>,
    ): Promise<void> {
      const missing = await behind(turn.authorityUuid, revocations);
      for (const [kind, members] of byShard([...missing])) {
        const isNeeded = (list: PublishedCrl | undefined): boolean => members.some((member) => isBehind(list, member));
        await refresh({ ...turn, kind, isNeeded }).catch(() => undefined);
      }
    },
  };
}

const isBehind = (list: PublishedCrl | undefined, revocation: AwaitedRevocation): boolean =>
  list !== undefined && isInScope(list.list, revocation.certificate) && !shows(list, revocation);

function byShard(revocations: readonly AwaitedRevocation[]): ReadonlyMap<ShardKind, readonly AwaitedRevocation[]> {
  const shards = new Map<ShardKind, readonly AwaitedRevocation[]>();
  for (const each of revocations) {
    for (const kind of shardsNamedBy(each.certificate)) shards.set(kind, [...(shards.get(kind) ?? []), each]);
  }
  return shards;
}

/** By the addresses in a certificate; nearly always one or none. */
function shardsNamedBy(certificate: Certificate): ReadonlySet<ShardKind> {
  try {
    const numbers = certificate.crlUrls.flatMap((url) => crlShardOf(url) ?? []);
    return new Set(numbers.map(shardKind));
  } catch (error) {
    // Whoever cannot read the addresses does not fetch from them either.
    if (error instanceof PkiError) return new Set();
    throw error;
  }
}
