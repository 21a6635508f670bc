// Rows of profiles (migrations 0008-acme, 0024-acme-policies and 0026-acme-dns-challenges). Those of activations are
// the same for every protocol.
import type { AcmeAdditionalChallenge } from '@signetry/contract';
import type { ProtocolProfileRow } from '../protocol-profiles/index.ts';
import type { NamePolicy } from './name-policy.ts';
import type { OfferedProfiles } from './offered-profiles.ts';

/** As it is read; `version` is counted by the store. */
export interface AcmeProfileRow extends ProtocolProfileRow {
  readonly retry_interval_s: number;
  readonly validity_s: number;
  /** Empty: the resolver of the system. */
  readonly dns_resolver_ip: string | null;
  readonly dns_resolver_port: number;
  readonly require_contact: boolean;
  readonly require_terms_of_service: boolean;
  readonly terms_of_service_url: string | null;
  readonly website_url: string | null;
  readonly terms_of_service_change_disable: boolean;
  readonly terms_of_service_change_url: string | null;
  readonly external_account_required: boolean;
  /** Names that a CAA record may permit; empty: CAA is not checked, unless by default. */
  readonly caa_identities: string[];
  /** Nothing was said about CAA. */
  readonly caa_by_default: boolean;
  /** How long a proof of control may be used for further orders; 0: every order proves anew. */
  readonly authorization_reuse_s: number;
  readonly allow_loopback_validation: boolean;
  /** Empty: no rule. */
  readonly name_policy: NamePolicy | null;
  readonly offered_profiles: OfferedProfiles;
  /** Offered beside the challenges that every profile has. */
  readonly additional_challenges: AcmeAdditionalChallenge[];
}
