// One-time secrets as requests come with them.
import type { Secret } from '../../../kernel/secret.ts';
import type { Platform } from '../../../platform/platform.ts';
import { namesOfSecret, type BoundNames } from '../bound-names.ts';
import type { SecretRow } from '../tables.ts';
import { hashOf, openSecret } from './sealed-secret.ts';
import * as store from './store.ts';

export interface OneTimeSecret {
  readonly uuid: string;
  /** Names it, for people and in messages. */
  readonly reference: string;
  readonly secret: Secret;
  /** The names that it was made for; undefined: whatever the RA profile allows. */
  readonly names: BoundNames | undefined;
}

type Query = Omit<store.SecretQuery, 'now'>;

/** Those that can be used now; whether two come at once with one is decided where the transaction begins. */
export interface EnrolmentSecrets {
  /** A secret that names itself: a challenge password, the password of a user. */
  findBySecret(query: Query & { readonly secret: string }): Promise<OneTimeSecret | undefined>;
  findByReference(query: Query & { readonly reference: string }): Promise<OneTimeSecret | undefined>;
}

export function createEnrolmentSecrets({
  database,
  clock,
  sealer,
}: Pick<Platform, 'database' | 'clock' | 'sealer'>): EnrolmentSecrets {
  const present = (row: SecretRow | undefined): OneTimeSecret | undefined =>
    row && {
      uuid: row.uuid,
      reference: row.reference,
      secret: openSecret(sealer, row),
      names: namesOfSecret(row.subject ?? undefined, row.alt_names, row.reference),
    };
  const statements = store.createSecretStatements(database);
  return {
    findBySecret: async ({ secret, ...query }) =>
      present(await statements.findByHash({ ...query, now: clock.now(), text: hashOf(secret) })),
    findByReference: async ({ reference, ...query }) =>
      present(await statements.findByReference({ ...query, now: clock.now(), text: reference })),
  };
}
