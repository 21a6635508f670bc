// Issuing, renewing, rekeying and revoking certificates under an RA profile.
// The RA profile is seen by its path; what is done to certificates is a right of its own.
import { z } from 'zod';
import { CertificateRequestFormat, CertificateRevocationReason } from '../enums/certificates.ts';
import { operation } from '../operation.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';
import { uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { requestSource, requestingKeys } from '../shared/request-source.ts';
import { memberOfRaProfile } from './second-objects.ts';

/** `request` is a PKCS#10 or CRMF request, PEM or Base64 of DER. */
export const ClientCertificateSignRequestDto = z
  .object({
    request: z.string(),
    format: CertificateRequestFormat.default('pkcs10'),
    ...requestSource,
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ClientCertificateSignRequestDto' });
export type ClientCertificateSignRequestDto = z.output<typeof ClientCertificateSignRequestDto>;

/** Without `request` the stored one is used again. The key stays the same. */
export const ClientCertificateRenewRequestDto = z
  .object({
    replaceInLocations: z.boolean().default(false),
    request: z.string().optional(),
    format: CertificateRequestFormat.default('pkcs10'),
  })
  .meta({ id: 'ClientCertificateRenewRequestDto' });
export type ClientCertificateRenewRequestDto = z.output<typeof ClientCertificateRenewRequestDto>;

/** The key changes, the subject stays. */
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
    /** Absent means unspecified. */
    reason: CertificateRevocationReason.default('unspecified'),
    attributes: z.array(RequestAttributeDto),
    destroyKey: z.boolean().default(false),
  })
  .meta({ id: 'ClientCertificateRevocationDto' });
export type ClientCertificateRevocationDto = z.output<typeof ClientCertificateRevocationDto>;

/** The certificate, Base64 of DER; empty while it is not issued yet. */
export const ClientCertificateDataResponseDto = z
  .object({ certificateData: z.string().optional(), uuid: z.string() })
  .meta({ id: 'ClientCertificateDataResponseDto' });
export type ClientCertificateDataResponseDto = z.output<typeof ClientCertificateDataResponseDto>;

const tag = 'Client Operations v2';
const raProfileParams = z.object({ authorityUuid: uuid(), raProfileUuid: uuid() });
const certificateParams = z.object({ authorityUuid: uuid(), raProfileUuid: uuid(), certificateUuid: uuid() });

export const clientOperations = {
  listIssueCertificateAttributes: operation({
    id: 'listIssueCertificateAttributes',
    summary: 'Get issue Certificate Attributes',
    tag,
    method: 'GET',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue',
    params: raProfileParams,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  validateIssueCertificateAttributes: operation({
    id: 'validateIssueCertificateAttributes',
    summary: 'Validate issue Certificate Attributes',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/issue/validate',
    params: raProfileParams,
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  issueCertificate: operation({
    id: 'issueCertificate_ClientOperationV2',
    summary: 'Issue Certificate',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates',
    params: raProfileParams,
    body: ClientCertificateSignRequestDto,
    success: { status: 200, body: ClientCertificateDataResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
    also: [{ resource: 'certificates', action: 'issue' }],
    audit: { module: 'certificates', resource: 'certificates', operation: 'issue' },
  }),
  issueRequestedCertificate: operation({
    id: 'issueRequestedCertificate',
    summary: 'Issue existing certificate with status Requested',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/issue',
    params: certificateParams,
    success: { status: 200, body: ClientCertificateDataResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
    also: [{ resource: 'certificates', action: 'issue' }, memberOfRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'issue' },
  }),
  renewCertificate: operation({
    id: 'renewCertificate',
    summary: 'Renew Certificate',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/renew',
    params: certificateParams,
    body: ClientCertificateRenewRequestDto,
    success: { status: 200, body: ClientCertificateDataResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
    also: [{ resource: 'certificates', action: 'renew' }, memberOfRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'renew' },
  }),
  rekeyCertificate: operation({
    id: 'rekeyCertificate',
    summary: 'Rekey Certificate',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/rekey',
    params: certificateParams,
    body: ClientCertificateRekeyRequestDto,
    success: { status: 200, body: ClientCertificateDataResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
    also: [{ resource: 'certificates', action: 'renew' }, memberOfRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'rekey' },
  }),
  listRevokeCertificateAttributes: operation({
    id: 'listRevokeCertificateAttributes',
    summary: 'Get revocation Attributes',
    tag,
    method: 'GET',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke',
    params: raProfileParams,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  validateRevokeCertificateAttributes: operation({
    id: 'validateRevokeCertificateAttributes',
    summary: 'Validate revocation Attributes',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/attributes/revoke/validate',
    params: raProfileParams,
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('ANY'),
  }),
  revokeCertificate: operation({
    id: 'revokeCertificate_ClientOperationV2',
    summary: 'Revoke Certificate',
    tag,
    method: 'POST',
    path: '/v2/operations/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/certificates/{certificateUuid}/revoke',
    params: certificateParams,
    body: ClientCertificateRevocationDto,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
    also: [{ resource: 'certificates', action: 'revoke' }, memberOfRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'revoke' },
  }),
};
