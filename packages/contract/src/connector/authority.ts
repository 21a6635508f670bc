// Authority provider operations. The connector does not store RA profiles: each call includes the profile's attributes.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import {
  AuthorityProviderInstanceDto,
  AuthorityProviderInstanceRequestDto,
  CaCertificatesRequestDto,
  CaCertificatesResponseDto,
  CertificateReleaseDto,
  CertRevocationDto,
  CertificateDataResponseDto,
  CertificateIdentificationRequestDto,
  CertificateIdentificationResponseDto,
  CertificateRenewRequestDto,
  CertificateRevocationListRequestDto,
  CertificateRevocationListResponseDto,
  CertificateSignRequestDto,
} from './authority-shapes.ts';

const tags = { authorities: 'Authority Management', certificates: 'Certificate Management' };
/** Identifier that the connector assigned to the instance. */
const instanceParam = z.object({ uuid: z.string() });

export const authorityProviderOperations = operations(
  { tag: tags.authorities, errors: objectErrors },
  {
    listAuthorityInstances: {
      route: 'GET /v1/authorityProvider/authorities',
      summary: 'List Authority instances',
      answer: z.array(AuthorityProviderInstanceDto),
    },
    createAuthorityInstance: {
      route: 'POST /v1/authorityProvider/authorities',
      summary: 'Create Authority instance',
      body: AuthorityProviderInstanceRequestDto,
      answer: AuthorityProviderInstanceDto,
    },
    getAuthorityInstance: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}',
      summary: 'Get an Authority instance',
      params: instanceParam,
      answer: AuthorityProviderInstanceDto,
    },
    updateAuthorityInstance: {
      route: 'POST /v1/authorityProvider/authorities/{uuid}',
      summary: 'Update Authority instance',
      params: instanceParam,
      body: AuthorityProviderInstanceRequestDto,
      answer: AuthorityProviderInstanceDto,
      repeated: 'same',
    },
    removeAuthorityInstance: {
      route: 'DELETE /v1/authorityProvider/authorities/{uuid}',
      summary: 'Remove Authority instance',
      params: instanceParam,
    },
    /** Checks that the authority is reachable. */
    getConnection: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/connect',
      summary: 'Connect to Authority',
      params: instanceParam,
      pace: 'quick',
    },
    listRAProfileAttributes: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/raProfile/attributes',
      summary: 'List RA Profile Attributes',
      params: instanceParam,
      answer: z.array(BaseAttributeDto),
    },
    validateRAProfileAttributes: {
      route: 'POST /v1/authorityProvider/authorities/{uuid}/raProfile/attributes/validate',
      summary: 'Validate RA Profile attributes',
      params: instanceParam,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
    },
    getCaCertificates: {
      route: 'POST /v1/authorityProvider/authorities/{uuid}/caCertificates',
      summary: 'Get the Authority Instance certificate chain',
      params: instanceParam,
      body: CaCertificatesRequestDto,
      answer: CaCertificatesResponseDto,
      repeated: 'harmless',
    },
    getCrl: {
      route: 'POST /v1/authorityProvider/authorities/{uuid}/crl',
      summary: 'Get the latest CRL',
      params: instanceParam,
      body: CertificateRevocationListRequestDto,
      answer: CertificateRevocationListResponseDto,
      repeated: 'harmless',
    },
    listIssueCertificateAttributes: {
      route: 'GET /v2/authorityProvider/authorities/{uuid}/certificates/issue/attributes',
      summary: 'List of Attributes to issue Certificate',
      tag: tags.certificates,
      params: instanceParam,
      answer: z.array(BaseAttributeDto),
    },
    validateIssueCertificateAttributes: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/issue/attributes/validate',
      summary: 'Validate list of Attributes to issue Certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      errors: ruleErrors,
    },
    issueCertificate: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/issue',
      id: 'issueCertificate_CertificateV2',
      summary: 'Issue Certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: CertificateSignRequestDto,
      answer: CertificateDataResponseDto,
      errors: ruleErrors,
    },
    /** Also used to rekey; the authority recognizes a rekey by the new public key. */
    renewCertificate: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/renew',
      summary: 'Renew Certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: CertificateRenewRequestDto,
      answer: CertificateDataResponseDto,
      errors: ruleErrors,
    },
    listRevokeCertificateAttributes: {
      route: 'GET /v2/authorityProvider/authorities/{uuid}/certificates/revoke/attributes',
      summary: 'List of Attributes to revoke Certificate',
      tag: tags.certificates,
      params: instanceParam,
      answer: z.array(BaseAttributeDto),
      errors: ruleErrors,
    },
    validateRevokeCertificateAttributes: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/revoke/attributes/validate',
      summary: 'Validate list of Attributes to revoke certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      errors: ruleErrors,
    },
    revokeCertificate: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/revoke',
      id: 'revokeCertificate_CertificateV2',
      summary: 'Revoke Certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: CertRevocationDto,
      success: { status: 200 },
      errors: ruleErrors,
    },
    /**
     * Releases a certificate from hold. Not part of the published interface; only for connectors that declare
     * HOLD_FEATURE. Repeated calls succeed. Returns 422 if the certificate is revoked for a different reason.
     */
    releaseCertificate: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/release',
      summary: 'Release Certificate from hold',
      tag: tags.certificates,
      params: instanceParam,
      body: CertificateReleaseDto,
      success: { status: 200 },
      errors: ruleErrors,
    },
    /**
     * 404 means that this authority did not issue the certificate. 422 means that it did, but that the certificate does
     * not match the RA profile.
     */
    identifyCertificate: {
      route: 'POST /v2/authorityProvider/authorities/{uuid}/certificates/identify',
      summary: 'Identify Certificate',
      tag: tags.certificates,
      params: instanceParam,
      body: CertificateIdentificationRequestDto,
      answer: CertificateIdentificationResponseDto,
      errors: ruleErrors,
      repeated: 'harmless',
    },
  },
);
