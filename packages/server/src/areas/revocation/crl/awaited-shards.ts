// Revocations that are missing from the CRL for their partition. Only a published CRL whose scope includes the
// certificate can be behind. A CRL that has never been fetched will be complete once it is fetched. A CRL that lacks
// the certificate's URL is refetched on schedule (SHARD_RECHECK_MS) and will then be complete.
import { crlShardOf } from '@signetry/contract';
import { isInScope, PkiError, type Certificate } from '@signetry/pki';
import { shardKind, type ShardKind } from '../publication-times.ts';
import { reflects, type PublishedCrl, type PublishedCrls, type Revocation } from './published-crls.ts';
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
  /** Returns the revocations that are missing from the published CRL for their partition. */
  async function findMissing(
    authorityUuid: string,
    revocations: readonly AwaitedRevocation[],
  ): Promise<ReadonlySet<AwaitedRevocation>> {
    const missing = new Set<AwaitedRevocation>();
    for (const [kind, members] of groupByShard(revocations)) {
      const list = await published.findFresh({ authorityUuid, kind });
      for (const member of members) if (isBehind(list, member)) missing.add(member);
    }
    return missing;
  }

  return {
    behind: findMissing,

    /**
     * Fetches the CRLs that are behind. A failed fetch does not prevent the others: `refresh` logs it, and the CRL
     * remains behind.
     */
    async publish(
      revocations: readonly AwaitedRevocation[],
      turn: Omit<RefreshRequest, 'kind' | 'isNeeded'>,
    ): Promise<void> {
      const missing = await findMissing(turn.authorityUuid, revocations);
      for (const [kind, members] of groupByShard([...missing])) {
        const isNeeded = (list: PublishedCrl | undefined): boolean => members.some((member) => isBehind(list, member));
        await refresh({ ...turn, kind, isNeeded }).catch(() => undefined);
      }
    },
  };
}

const isBehind = (list: PublishedCrl | undefined, revocation: AwaitedRevocation): boolean =>
  list !== undefined && isInScope(list.list, revocation.certificate) && !reflects(list, revocation);

function groupByShard(revocations: readonly AwaitedRevocation[]): ReadonlyMap<ShardKind, readonly AwaitedRevocation[]> {
  const shards = new Map<ShardKind, readonly AwaitedRevocation[]>();
  for (const each of revocations) {
    for (const kind of shardsNamedBy(each.certificate)) shards.set(kind, [...(shards.get(kind) ?? []), each]);
  }
  return shards;
}

/** Returns the partitions that a certificate's CRL URLs refer to; usually none or one. */
function shardsNamedBy(certificate: Certificate): ReadonlySet<ShardKind> {
  try {
    const numbers = certificate.crlUrls.flatMap((url) => crlShardOf(url) ?? []);
    return new Set(numbers.map(shardKind));
  } catch (error) {
    // Clients that cannot parse the URLs do not fetch from them either.
    if (error instanceof PkiError) return new Set();
    throw error;
  }
}
