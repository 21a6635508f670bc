// Profiles whose requests Microsoft Intune validates, with the tenant and application that the platform uses to access
// it.
import type { Secret } from '../../kernel/secret.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { ProfileParts } from '../protocol-profiles/index.ts';
import { openSecret } from './sealed-secrets.ts';
import type { ScepProfileRow } from './tables.ts';

export interface IntuneAccount {
  /** Tenant identifier or domain name. */
  readonly tenant: string;
  readonly applicationId: string;
  readonly applicationKey: Secret;
}

export interface IntuneProfile {
  readonly uuid: string;
  readonly name: string;
  readonly account: IntuneAccount;
}

export interface IntuneProfiles {
  /** Returns enabled and disabled profiles, sorted by name. */
  findAll(): Promise<readonly IntuneProfile[]>;
  /** Returns undefined if the profile was deleted or no longer uses Intune. */
  findOne(uuid: string): Promise<IntuneProfile | undefined>;
}

type IntuneColumns = Pick<
  ScepProfileRow,
  | 'uuid'
  | 'enable_intune'
  | 'intune_tenant'
  | 'intune_application_id'
  | 'sealed_challenge_password'
  | 'sealed_intune_application_key'
>;

export function intuneAccountOf(sealer: Sealer, row: IntuneColumns): IntuneAccount | undefined {
  const { enable_intune: isEnabled, intune_tenant: tenant, intune_application_id: applicationId } = row;
  if (!isEnabled || tenant === null || applicationId === null) return undefined;
  const applicationKey = openSecret(sealer, row, 'sealed_intune_application_key');
  return applicationKey && { tenant, applicationId, applicationKey };
}

export function createIntuneProfiles({ platform, profiles }: ProfileParts<ScepProfileRow>): IntuneProfiles {
  const { database, sealer } = platform;
  const withIntune = (rows: readonly ScepProfileRow[]): readonly IntuneProfile[] =>
    rows.flatMap((row) => {
      const account = intuneAccountOf(sealer, row);
      return account ? [{ uuid: row.uuid, name: row.name, account }] : [];
    });
  return {
    findAll: async () => withIntune(await profiles.findAll(database.executor)),
    findOne: async (uuid) => {
      const row = await profiles.findOne(database.executor, uuid);
      return row && withIntune([row])[0];
    },
  };
}
