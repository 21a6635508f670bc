// Issuing, renewing, rekeying and revoking certificates under an RA profile. The path requires the permission to see
// the RA profile; operations on certificates require separate permissions.
import { z } from 'zod';
import { CertificateRequestFormat, CertificateRevocationReason } from '../enums/certificates.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { requestSource, requestingKeys } from '../shared/request-source.ts';
import { raProfileMembership, sightOfCredentials, useOfRequestingKeys } from './referenced-objects.ts';

/**
 * `request` is a PKCS #10 or CRMF request, as PEM or Base64-encoded DER. If it is absent, the platform creates one for
 * the subject and SANs in `csrAttributes`, with the key in `keyUuid` and `tokenProfileUuid`.
 */
export const ClientCertificateSignRequestDto = z
  .object({
    request: z.string().optional(),
    format: CertificateRequestFormat.default('pkcs10'),
    ...requestSource,
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ClientCertificateSignRequestDto' });
export type ClientCertificateSignRequestDto = z.output<typeof ClientCertificateSignRequestDto>;

/** If `request` is absent, the stored request is reused. The key is unchanged. */
export const ClientCertificateRenewRequestDto = z
  .object({
    replaceInLocations: z.boolean().default(false),
    request: z.string().optional(),
    format: CertificateRequestFormat.default('pkcs10'),
  })
  .meta({ id: 'ClientCertificateRenewRequestDto' });
export type ClientCertificateRenewRequestDto = z.output<typeof ClientCertificateRenewRequestDto>;

/**
 * The key changes, but the subject does not. If `request` is absent, the platform creates one for the certificate's
 * subject and SANs, with the key in `keyUuid`.
 */
export const ClientCertificateRekeyRequestDto = z
  .object({
    replaceInLocations: z.boolean().default(false),
    request: z.string().optional(),
    format: CertificateRequestFormat.default('pkcs10'),
    ...requestingKeys,
  })
  .meta({ id: 'ClientCertificateRekeyRequestDto' });
export type ClientCertificateRekeyRequestDto = z.output<typeof ClientCertificateRekeyRequestDto>;

export const ClientCertificateRevocationDto = z
  .object({
    /** Default: `unspecified`. */
    reason: CertificateRevocationReason.default('unspecified'),
    attributes: z.array(RequestAttributeDto),
    /**
     * Whether to destroy the key in its token once the certificate is revoked. Has no effect if the key is not in a
     * token.
     */
    destroyKey: z.boolean().default(false),
  })
  .meta({ id: 'ClientCertificateRevocationDto' });
export type ClientCertificateRevocationDto = z.output<typeof ClientCertificateRevocationDto>;

/** The certificate as Base64-encoded DER; empty until it is issued. */
export const ClientCertificateDataResponseDto = z
  .object({ certificateData: z.string().optional(), uuid: z.string() })
  .meta({ id: 'ClientCertificateDataResponseDto' });
export type ClientCertificateDataResponseDto = z.output<typeof ClientCertificateDataResponseDto>;

export const clientOperations = operations(
  { tag: 'Client Operations v2', resource: 'certificates', module: 'certificates', errors: connectorRuleErrors },
  {
    listIssueCertificateAttributes: {
      route: 'GET /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue',
      summary: 'Get issue Certificate Attributes',
      answer: z.array(BaseAttributeDto),
      access: raProfilePermission('ANY'),
    },
    validateIssueCertificateAttributes: {
      route: 'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue/validate',
      summary: 'Validate issue Certificate Attributes',
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      access: raProfilePermission('ANY'),
      also: [sightOfCredentials],
    },
    issueCertificate: {
      route: 'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates',
      id: 'issueCertificate_ClientOperationV2',
      summary: 'Issue Certificate',
      body: ClientCertificateSignRequestDto,
      answer: ClientCertificateDataResponseDto,
      access: raProfilePermission('detail'),
      also: [{ resource: 'certificates', action: 'issue' }, sightOfCredentials, ...useOfRequestingKeys],
      audit: 'issue',
    },
    issueRequestedCertificate: {
      route:
        'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/issue',
      summary: 'Issue existing certificate with status Requested',
      answer: ClientCertificateDataResponseDto,
      access: raProfilePermission('detail'),
      also: [{ resource: 'certificates', action: 'issue', object: 'certificateUuid' }, raProfileMembership],
      audit: 'issue',
    },
    renewCertificate: {
      route:
        'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/renew',
      summary: 'Renew Certificate',
      body: ClientCertificateRenewRequestDto,
      answer: ClientCertificateDataResponseDto,
      access: raProfilePermission('detail'),
      also: [{ resource: 'certificates', action: 'renew', object: 'certificateUuid' }, raProfileMembership],
      audit: 'renew',
    },
    rekeyCertificate: {
      route:
        'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/rekey',
      summary: 'Rekey Certificate',
      body: ClientCertificateRekeyRequestDto,
      answer: ClientCertificateDataResponseDto,
      access: raProfilePermission('detail'),
      also: [
        { resource: 'certificates', action: 'renew', object: 'certificateUuid' },
        raProfileMembership,
        ...useOfRequestingKeys,
      ],
      audit: 'rekey',
    },
    listRevokeCertificateAttributes: {
      route: 'GET /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke',
      summary: 'Get revocation Attributes',
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      access: raProfilePermission('ANY'),
    },
    validateRevokeCertificateAttributes: {
      route: 'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke/validate',
      summary: 'Validate revocation Attributes',
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      errors: connectorErrors,
      access: raProfilePermission('ANY'),
      also: [sightOfCredentials],
    },
    revokeCertificate: {
      route:
        'POST /v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/revoke',
      id: 'revokeCertificate_ClientOperationV2',
      summary: 'Revoke Certificate',
      body: ClientCertificateRevocationDto,
      errors: connectorErrors,
      access: raProfilePermission('detail'),
      also: [
        { resource: 'certificates', action: 'revoke', object: 'certificateUuid' },
        raProfileMembership,
        sightOfCredentials,
        { resource: 'keys', action: 'delete', where: 'the key of the certificate is destroyed, on it' },
      ],
      audit: 'revoke',
    },
  },
);
