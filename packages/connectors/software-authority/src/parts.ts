// Assembles the connector's parts.
import { createIdempotencyJournal, type ConnectorContext, type IdempotencyJournal } from '@signetry/connector-sdk';
import { createAuthorityRegistry, type AuthorityRegistry } from './authorities/authority-registry.ts';
import { AuthorityStore } from './authorities/authority-store.ts';
import { createClockGuard, type ClockGuard } from './issuance/clock-guard.ts';
import { createIssuanceJournal, type IssuanceJournal } from './issuance/issuance-journal.ts';
import { createSignOnce, type SignOnce } from './issuance/signed-once.ts';
import { createCrlIssuer, type CrlIssuer } from './revocation/crl-issuer.ts';
import { createCrlShards, type CrlShards } from './revocation/crl-shards.ts';
import { CrlStore } from './revocation/crl-store.ts';
import { COMPLETE_LISTS, SHARD_LISTS } from './revocation/crl-tables.ts';
import { createCrlCache } from './revocation/crl-cache.ts';
import { createRevocationStore, type RevocationStore } from './revocation/revocation-store.ts';

export interface ConnectorParts {
  readonly store: AuthorityStore;
  readonly registry: AuthorityRegistry;
  readonly journal: IssuanceJournal;
  readonly signOnce: SignOnce;
  readonly revocations: RevocationStore;
  readonly shards: CrlShards;
  readonly crls: CrlIssuer;
  readonly guard: ClockGuard;
  /** Used for the creation of authorities, which the issuance journal does not cover. */
  readonly idempotency: IdempotencyJournal;
}

export function createParts(context: ConnectorContext): ConnectorParts {
  const { storage, randomBytes, log } = context;
  const store = new AuthorityStore(storage);
  const journal = createIssuanceJournal(storage);
  const kept = createCrlCache();
  const complete = new CrlStore(storage, kept.find, COMPLETE_LISTS);
  const ofShards = new CrlStore(storage, kept.find, SHARD_LISTS);
  const shards = createCrlShards(storage);
  const endFutureCrls = async (now: Date): Promise<void> => {
    for (const store of [complete, ofShards]) await store.endFutureCrls(now);
  };
  const guard = createClockGuard({ ...context, journal, crls: { endFutureCrls } });
  return {
    store,
    registry: createAuthorityRegistry(context, store),
    journal,
    signOnce: createSignOnce({
      journal,
      guard,
      randomBytes,
      log,
      isSharedWithCaller: storage.isSharedWithCaller ?? false,
    }),
    revocations: createRevocationStore(storage),
    shards,
    crls: createCrlIssuer({ complete, ofShards, shards, kept, guard }),
    guard,
    idempotency: createIdempotencyJournal(storage),
  };
}
