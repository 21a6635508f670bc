// CMP profiles as the protocol server reads them on every request.
import type { CmpProfileVariant, ProtectionMethod } from '@signetry/contract';
import { parseCertificate, type Certificate } from '@signetry/pki';
import type { Secret } from '../../kernel/secret.ts';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
} from '../protocol-profiles/index.ts';
import { openSharedSecret } from './shared-secret.ts';
import type { CmpProfileRow } from './tables.ts';

/** Attributes carry secrets: never log a profile. */
export interface ServedCmpProfile extends ServedProfile {
  readonly variant: CmpProfileVariant;
  readonly requestProtection: ProtectionMethod;
  readonly responseProtection: ProtectionMethod;
  readonly sharedSecret: Secret | undefined;
  readonly signingCertificateUuid: string | undefined;
  readonly implicitConfirmation: boolean;
  readonly oneTimeSecrets: boolean;
  readonly trustedAuthorities: readonly Certificate[];
  readonly registrationAuthorities: readonly Certificate[];
  readonly waitsForPerson: boolean;
  readonly centralKeys: boolean;
  readonly bindNames: boolean;
  /** That a MAC may ask for before anything is known of its sender. */
  readonly maxMacIterations: number;
}

/** Enrolment of base stations (3GPP TS 33.310 §9). */
export const isForBaseStations = ({ variant }: ServedCmpProfile): boolean => variant === 'v2_3gpp';

export type ServedCmpProfiles = ServedProfiles<ServedCmpProfile>;

export const createServedCmpProfiles = (parts: ProfileParts<CmpProfileRow>): ServedCmpProfiles =>
  createServedProfiles(parts, (row, served) => ({
    ...served,
    variant: row.variant,
    requestProtection: row.request_protection,
    responseProtection: row.response_protection,
    sharedSecret: openSharedSecret(parts.platform.sealer, row),
    signingCertificateUuid: row.signing_certificate_uuid ?? undefined,
    implicitConfirmation: row.implicit_confirmation,
    oneTimeSecrets: row.one_time_secrets,
    trustedAuthorities: row.trusted_authorities.map(certificateOf),
    registrationAuthorities: row.registration_authorities.map(certificateOf),
    waitsForPerson: row.require_manual_approval,
    centralKeys: row.central_keys,
    bindNames: row.bind_names ?? false,
    maxMacIterations: row.max_mac_iterations,
  }));

const certificateOf = (encoded: string): Certificate => parseCertificate(Buffer.from(encoded, 'base64'));
