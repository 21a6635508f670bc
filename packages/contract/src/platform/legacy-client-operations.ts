// Certificates and end entities under RA profiles of first-generation authorities: an end entity is registered with a
// password that a client uses to get its certificate. Second-generation authorities have the operations in
// `client-operations.ts` instead.
import { z } from 'zod';
import { EndEntityExtendedInfoDto } from '../connector/legacy-authority-shapes.ts';
import { CertificateRevocationReason } from '../enums/certificates.ts';
import { EndEntityStatus } from '../enums/end-entities.ts';
import type { AdditionalPermission } from '../operation.ts';
import { connectorErrors, operations } from '../operations.ts';
import { line, objectName } from '../primitives.ts';
import { RaProfileDto } from './ra-profiles.ts';

const endEntity = {
  /** A distinguished name such as `CN=Alice,O=Example`. */
  subjectDN: z.string(),
  email: line().optional(),
  extensionData: z.array(EndEntityExtendedInfoDto).optional(),
  /** SANs in the authority's format, often `dNSName=www.example.com, iPAddress=192.0.2.1`. */
  subjectAltName: z.string().optional(),
};

export const ClientEndEntityDto = z
  .object({ ...endEntity, email: z.string().optional(), status: EndEntityStatus, username: z.string() })
  .meta({ id: 'ClientEndEntityDto' });
export type ClientEndEntityDto = z.output<typeof ClientEndEntityDto>;

/** The path identifies the RA profile; the body can repeat it. */
export const ClientAddEndEntityRequestDto = z
  .object({ ...endEntity, raProfile: RaProfileDto.optional(), password: z.string(), username: objectName() })
  .meta({ id: 'ClientAddEndEntityRequestDto' });
export type ClientAddEndEntityRequestDto = z.output<typeof ClientAddEndEntityRequestDto>;

/** The complete new state of the end entity; all values are replaced. */
export const ClientEditEndEntityRequestDto = z
  .object({ ...endEntity, raProfile: RaProfileDto.optional(), password: z.string(), status: EndEntityStatus })
  .meta({ id: 'ClientEditEndEntityRequestDto' });
export type ClientEditEndEntityRequestDto = z.output<typeof ClientEditEndEntityRequestDto>;

/** `pkcs10` is a PKCS #10 request, as PEM or Base64-encoded DER; the name and password are those of the end entity. */
export const LegacyClientCertificateSignRequestDto = z
  .object({ password: z.string(), pkcs10: z.string(), username: objectName() })
  .meta({ id: 'LegacyClientCertificateSignRequestDto' });
export type LegacyClientCertificateSignRequestDto = z.output<typeof LegacyClientCertificateSignRequestDto>;

/** The certificate as Base64-encoded DER. */
export const ClientCertificateSignResponseDto = z
  .object({ certificateData: z.string() })
  .meta({ id: 'ClientCertificateSignResponseDto' });
export type ClientCertificateSignResponseDto = z.output<typeof ClientCertificateSignResponseDto>;

/** Identifies the certificate by its issuer DN and hexadecimal serial number. */
export const LegacyClientCertificateRevocationDto = z
  .object({ certificateSN: z.string(), issuerDN: z.string(), reason: CertificateRevocationReason })
  .meta({ id: 'LegacyClientCertificateRevocationDto' });
export type LegacyClientCertificateRevocationDto = z.output<typeof LegacyClientCertificateRevocationDto>;

/** The path contains the RA profile's name, so the use case resolves the objects. */
const raProfile: AdditionalPermission = {
  resource: 'raProfiles',
  action: 'detail',
  where: 'the path contains the name of an RA profile, on it',
};
const authority: AdditionalPermission = {
  resource: 'authorities',
  action: 'detail',
  where: 'the RA profile has an authority, on the authority',
};
const sight = [authority, raProfile] as const;
/** Registering an end entity enables it to get a certificate, so it requires the permission to issue. */
const mayIssue = [...sight, { resource: 'certificates', action: 'issue' }] as const;
const mayRevoke = [
  ...sight,
  { resource: 'certificates', action: 'revoke' },
  { ...raProfile, action: 'members' },
] as const;

const profileParams = z.object({ raProfileName: z.string() });
const endEntityParams = z.object({ raProfileName: z.string(), username: z.string() });

const ofCertificates = { module: 'certificates', resource: 'certificates' } as const;

export const legacyClientOperations = operations(
  {
    tag: 'Legacy Client Operations',
    resource: 'endEntityProfiles',
    module: 'certificates',
    errors: connectorErrors,
  },
  {
    issueLegacyCertificate: {
      route: 'POST /v1/operations/{raProfileName}/certificate/issue',
      id: 'issueCertificate_ClientOperation',
      summary: 'Issue Certificate',
      params: profileParams,
      body: LegacyClientCertificateSignRequestDto,
      answer: ClientCertificateSignResponseDto,
      access: 'authenticated',
      also: mayIssue,
      audit: { ...ofCertificates, operation: 'issue' },
    },
    revokeLegacyCertificate: {
      route: 'POST /v1/operations/{raProfileName}/certificate/revoke',
      id: 'revokeCertificate_ClientOperation',
      summary: 'Revoke Certificate',
      params: profileParams,
      body: LegacyClientCertificateRevocationDto,
      success: { status: 200 },
      access: 'authenticated',
      also: mayRevoke,
      audit: { ...ofCertificates, operation: 'revoke' },
    },
    listEntities: {
      route: 'GET /v1/operations/{raProfileName}/endentity',
      summary: 'List all End Entities',
      params: profileParams,
      answer: z.array(ClientEndEntityDto),
      access: 'authenticated',
      also: sight,
    },
    addEndEntity: {
      route: 'POST /v1/operations/{raProfileName}/endentity',
      summary: 'Add End Entity',
      params: profileParams,
      body: ClientAddEndEntityRequestDto,
      success: { status: 200 },
      access: 'authenticated',
      also: mayIssue,
      audit: 'create',
    },
    getEndEntity: {
      route: 'GET /v1/operations/{raProfileName}/endentity/{username}',
      summary: 'Get End Entity information',
      params: endEntityParams,
      answer: ClientEndEntityDto,
      access: 'authenticated',
      also: sight,
    },
    editEndEntity: {
      route: 'POST /v1/operations/{raProfileName}/endentity/{username}',
      summary: 'Edit End Entity',
      params: endEntityParams,
      body: ClientEditEndEntityRequestDto,
      success: { status: 200 },
      access: 'authenticated',
      also: mayIssue,
      audit: 'update',
    },
    revokeAndDeleteEndEntity: {
      route: 'DELETE /v1/operations/{raProfileName}/endentity/{username}',
      summary: 'Revoke all Certificates and delete End Entity',
      params: endEntityParams,
      success: { status: 200 },
      access: 'authenticated',
      also: mayRevoke,
      audit: 'delete',
    },
    /** The authority delivers the new password if it supports that. */
    resetPassword: {
      route: 'PUT /v1/operations/{raProfileName}/endentity/{username}/resetPassword',
      summary: 'Reset password for End Entity',
      params: endEntityParams,
      success: { status: 200 },
      access: 'authenticated',
      also: mayIssue,
      audit: 'update',
    },
  },
);
