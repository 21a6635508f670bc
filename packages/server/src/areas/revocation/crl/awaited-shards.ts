// Revocations that the list of a shard does not name yet. Only a list that is published and about the certificate can
// be behind: one that nobody has fetched has everything when it is, and one without the address of the certificate is
// asked for again by schedule (SHARD_RECHECK_MS), with everything as well.
import { crlShardOf } from '@signetry/contract';
import { findRevoked, isInScope, PkiError, type Certificate } from '@signetry/pki';
import { shardKind, type ShardKind } from '../domain.ts';
import type { PublishedCrl, PublishedCrls } from './published-crls.ts';
import type { CrlRefresher, RefreshRequest } from './refresh-crl.ts';

export type AwaitedShards = ReturnType<typeof createAwaitedShards>;

export function createAwaitedShards({
  published,
  refresh,
}: {
  readonly published: Pick<PublishedCrls, 'findFresh'>;
  readonly refresh: CrlRefresher;
}) {
  /** Certificates that the published list of their shard does not name. */
  async function behind(
    authorityUuid: string,
    certificates: readonly Certificate[],
  ): Promise<ReadonlySet<Certificate>> {
    const missing = new Set<Certificate>();
    for (const [kind, members] of byShard(certificates)) {
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
      certificates: readonly Certificate[],
      turn: Omit<RefreshRequest, 'kind' | 'isNeeded'>,
    ): Promise<void> {
      const missing = await behind(turn.authorityUuid, certificates);
      for (const [kind, members] of byShard([...missing])) {
        const isNeeded = (list: PublishedCrl | undefined): boolean => members.some((member) => isBehind(list, member));
        await refresh({ ...turn, kind, isNeeded }).catch(() => undefined);
      }
    },
  };
}

const isBehind = (list: PublishedCrl | undefined, certificate: Certificate): boolean =>
  list !== undefined &&
  isInScope(list.list, certificate) &&
  findRevoked(list.list, certificate.serialBytes) === undefined;

function byShard(certificates: readonly Certificate[]): ReadonlyMap<ShardKind, readonly Certificate[]> {
  const shards = new Map<ShardKind, readonly Certificate[]>();
  for (const certificate of certificates) {
    for (const kind of shardsNamedBy(certificate)) shards.set(kind, [...(shards.get(kind) ?? []), certificate]);
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
