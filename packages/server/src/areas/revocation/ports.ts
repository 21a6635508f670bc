// Dependencies of this area. The composition root connects the areas certificates, ra-profiles, authorities and
// connectors; tests connect a test authority.
import type { AddRaProfileRequestDto, BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import type { RevocationReason } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Connectors } from '../connectors/index.ts';

export interface RevocationPorts {
  readonly connectors: Pick<Connectors, 'client'>;
  readonly authorities: AuthorityPort;
  readonly raProfiles: RaProfilePort;
  readonly certificates: CertificatePort;
}

export interface AuthorityPort {
  /**
   * Throws `object_not_found` if the authority does not exist. The area that provides this function caches the result.
   */
  readonly find: (uuid: string) => Promise<RevocationAuthority>;
  /** Returns the attribute definitions of the authority's RA profile form. */
  readonly raProfileDefinitions: (uuid: string, signal?: AbortSignal) => Promise<readonly BaseAttributeDto[]>;
}

export interface RevocationAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly connectorUuid: string | null;
  /** Identifier at the connector. */
  readonly connectorAuthorityUuid: string;
  /** Features that the connector declares in addition to the API specification. */
  readonly features: readonly string[];
}

export interface RaProfilePort {
  /**
   * Returns the attributes of one of the authority's RA profiles as they are sent to the connector: the oldest enabled
   * profile, or else the oldest profile. Undefined if the authority has no RA profile.
   */
  readonly attributesForAuthority: (authorityUuid: string) => Promise<readonly RequestAttributeDto[] | undefined>;
  /** Returns the authority of an RA profile; undefined if the profile or its authority no longer exists. */
  readonly authorityOf: (raProfileUuid: string) => Promise<string | undefined>;
  readonly findAnyByName: (name: string) => Promise<KnownRaProfile | undefined>;
  /** Creates an RA profile under which only the platform itself issues, and returns its identifier. */
  readonly createInternal: (
    authorityUuid: string,
    request: AddRaProfileRequestDto,
    context: RequestContext,
  ) => Promise<string>;
  readonly markInternal: (raProfileUuid: string) => Promise<void>;
}

export interface KnownRaProfile {
  readonly uuid: string;
  readonly authorityUuid: string | null;
  readonly internal: boolean;
}

export interface CertificatePort {
  /**
   * Returns the status of certificates by issuer and serial number (lowercase hex without leading zeros), even if they
   * are no longer in the inventory. This is a single indexed read of the primary database for every OCSP request, and
   * is never cached. Excludes requested, failed and rejected certificates.
   */
  readonly findStatuses: (
    issuer: IssuerIdentity,
    serialNumbers: readonly string[],
  ) => Promise<readonly InventoryStatus[]>;
  /** Returns the CA certificates that currently sign for the authority, i.e. those of its RA profiles. */
  readonly caCertificatesOf: (authorityUuid: string) => Promise<readonly CaCertificate[]>;
  /** Returns a certificate object; undefined if it does not exist. */
  readonly find: (uuid: string) => Promise<InventoryCertificate | undefined>;
  /**
   * Issues a certificate for a DER-encoded CSR through the ordinary path. `der` is set if the certificate was issued in
   * time.
   */
  readonly issue: (
    input: { readonly authorityUuid: string; readonly raProfileUuid: string; readonly request: Uint8Array },
    context: RequestContext,
  ) => Promise<{ readonly uuid: string; readonly der: Uint8Array | undefined }>;
}

/** CA, identified by its current and former certificates in the inventory and by its key. */
export interface IssuerIdentity {
  readonly certificateUuids: readonly string[];
  /** Lowercase hex SHA-256 of the SubjectPublicKeyInfo. */
  readonly publicKeyFingerprint: string;
}

export interface InventoryStatus {
  readonly serialNumber: string;
  readonly revokedAt: Date | null;
  /** Reason as defined in RFC 5280 §5.3.1. If `revokedAt` is null or absent, the certificate is not revoked. */
  readonly revocationReason: RevocationReason | null;
}

export interface CaCertificate {
  /** Identifier in the inventory. */
  readonly uuid: string;
  readonly der: Uint8Array;
}

export interface InventoryCertificate {
  /** State of the certificate object in the API. */
  readonly state: string;
  /** Absent until the certificate has been issued. */
  readonly der: Uint8Array | undefined;
  readonly revocationReason: RevocationReason | null;
}
