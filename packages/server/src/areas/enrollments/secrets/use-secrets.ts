// One-time secrets presented in requests.
import type { Secret } from '../../../kernel/secret.ts';
import type { Platform } from '../../../platform/platform.ts';
import { namesOfSecret, type BoundNames } from '../bound-names.ts';
import type { SecretRow } from '../tables.ts';
import { hashOf, openSecret } from './sealed-secret.ts';
import * as store from './store.ts';

export interface OneTimeSecret {
  readonly uuid: string;
  /** Identifies the secret to users and in messages. */
  readonly reference: string;
  readonly secret: Secret;
  /** Names that the secret was created for; if undefined, any names that the RA profile allows. */
  readonly names: BoundNames | undefined;
}

type Query = Omit<store.SecretQuery, 'now'>;

/**
 * Looks up usable secrets. If two requests present the same secret simultaneously, only the one that starts its
 * transaction first succeeds.
 */
export interface EnrollmentSecrets {
  /** Looks up a secret that is sent without a reference: a challenge password or a user's password. */
  findBySecret(query: Query & { readonly secret: string }): Promise<OneTimeSecret | undefined>;
  findByReference(query: Query & { readonly reference: string }): Promise<OneTimeSecret | undefined>;
}

export function createEnrollmentSecrets({
  database,
  clock,
  sealer,
}: Pick<Platform, 'database' | 'clock' | 'sealer'>): EnrollmentSecrets {
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
