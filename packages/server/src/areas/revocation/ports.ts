// What this area needs of others, and nothing more. The composition root fills it from the areas certificates,
// ra-profiles, authorities and connectors; tests fill it with an authority of their own.
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
  /** `object_not_found` when there is none; cached by its area. */
  readonly find: (uuid: string) => Promise<RevocationAuthority>;
  /** Definitions of the RA profile form of an authority. */
  readonly raProfileDefinitions: (uuid: string, signal?: AbortSignal) => Promise<readonly BaseAttributeDto[]>;
}

export interface RevocationAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly connectorUuid: string | null;
  /** Identifier at the connector. */
  readonly connectorAuthorityUuid: string;
  /** What the connector declares beyond the interface. */
  readonly features: readonly string[];
}

export interface RaProfilePort {
  /**
   * Attributes of one RA profile of the authority, as the connector takes them: of the oldest enabled profile, else of
   * the oldest. Undefined when the authority has none.
   */
  readonly attributesForAuthority: (authorityUuid: string) => Promise<readonly RequestAttributeDto[] | undefined>;
  /** Authority of an RA profile; undefined when the profile or its authority is gone. */
  readonly authorityOf: (raProfileUuid: string) => Promise<string | undefined>;
  readonly findAnyByName: (name: string) => Promise<KnownRaProfile | undefined>;
  /** Creates an RA profile that nobody but the platform itself issues under; returns its identifier. */
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
   * Status of certificates by issuer and serial number (lower-case hex without leading zeros), whether or not the
   * inventory still has them. One indexed read of the primary database for every OCSP request: never cached. Requests,
   * failed and rejected certificates are left out.
   */
  readonly findStatuses: (
    issuer: IssuerIdentity,
    serialNumbers: readonly string[],
  ) => Promise<readonly InventoryStatus[]>;
  /** CA certificates that now sign for the authority, i.e. those of its RA profiles. */
  readonly caCertificatesOf: (authorityUuid: string) => Promise<readonly CaCertificate[]>;
  /** A certificate object; undefined when there is none. */
  readonly find: (uuid: string) => Promise<InventoryCertificate | undefined>;
  /** Issues for a PKCS#10 request in DER, through the ordinary path. `der` is there when it was issued in time. */
  readonly issue: (
    input: { readonly authorityUuid: string; readonly raProfileUuid: string; readonly request: Uint8Array },
    context: RequestContext,
  ) => Promise<{ readonly uuid: string; readonly der: Uint8Array | undefined }>;
}

/** A CA by its present and former certificates in the inventory, and by its key. */
export interface IssuerIdentity {
  readonly certificateUuids: readonly string[];
  /** Lower-case hex SHA-256 of the SubjectPublicKeyInfo. */
  readonly publicKeyFingerprint: string;
}

export interface InventoryStatus {
  readonly serialNumber: string;
  readonly revokedAt: Date | null;
  /** Of RFC 5280 §5.3.1; null or absent in `revokedAt` means not revoked. */
  readonly revocationReason: RevocationReason | null;
}

export interface CaCertificate {
  /** Of the inventory. */
  readonly uuid: string;
  readonly der: Uint8Array;
}

export interface InventoryCertificate {
  /** State of the object as the interface names it. */
  readonly state: string;
  /** Absent until it was issued. */
  readonly der: Uint8Array | undefined;
  readonly revocationReason: RevocationReason | null;
}
