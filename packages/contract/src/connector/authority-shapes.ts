// Authority provider schemas: instances, and the certificates and CRLs that they issue.
import { z } from 'zod';
import { CertificateRequestFormat, CertificateRevocationReason, CertificateType } from '../enums/certificates.ts';
import { base64Octets, notBlank } from '../primitives.ts';
import { BaseAttributeDto, MetadataAttribute, RequestAttributeDto } from '../shared/attributes.ts';
import { MAX_CRL_SHARDS } from './crl-shards.ts';

export const AuthorityProviderInstanceDto = z
  .object({ uuid: z.string(), name: z.string(), attributes: z.array(BaseAttributeDto) })
  .meta({ id: 'AuthorityProviderInstanceDto' });
export type AuthorityProviderInstanceDto = z.output<typeof AuthorityProviderInstanceDto>;

export const AuthorityProviderInstanceRequestDto = z
  .object({ name: notBlank(), kind: z.string(), attributes: z.array(RequestAttributeDto) })
  .meta({ id: 'AuthorityProviderInstanceRequestDto' });
export type AuthorityProviderInstanceRequestDto = z.output<typeof AuthorityProviderInstanceRequestDto>;

/**
 * A certificate (Base64-encoded DER) with the metadata that the platform sends back to the connector in later requests.
 */
export const CertificateDataResponseDto = z
  .object({
    certificateData: z.string(),
    uuid: z.string().optional(),
    meta: z.array(MetadataAttribute).optional(),
    certificateType: CertificateType.default('X.509'),
  })
  .meta({ id: 'CertificateDataResponseDto' });
export type CertificateDataResponseDto = z.output<typeof CertificateDataResponseDto>;

export const CaCertificatesRequestDto = z
  .object({ raProfileAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'CaCertificatesRequestDto' });
export type CaCertificatesRequestDto = z.output<typeof CaCertificatesRequestDto>;

export const CaCertificatesResponseDto = z
  .object({ certificates: z.array(CertificateDataResponseDto) })
  .meta({ id: 'CaCertificatesResponseDto' });
export type CaCertificatesResponseDto = z.output<typeof CaCertificatesResponseDto>;

export const CertificateRevocationListRequestDto = z
  .object({
    delta: z.boolean().default(false),
    raProfileAttributes: z.array(RequestAttributeDto),
    /**
     * Number of the CRL partition to return instead of the complete CRL. Sent only to connectors that declare
     * CRL_SHARDS_FEATURE.
     */
    shard: z.int().min(1).max(MAX_CRL_SHARDS).optional(),
  })
  .meta({ id: 'CertificateRevocationListRequestDto' });
export type CertificateRevocationListRequestDto = z.output<typeof CertificateRevocationListRequestDto>;

/** A Base64-encoded DER CRL. */
export const CertificateRevocationListResponseDto = z
  .object({ crlData: base64Octets() })
  .meta({ id: 'CertificateRevocationListResponseDto' });
export type CertificateRevocationListResponseDto = z.output<typeof CertificateRevocationListResponseDto>;

/** `request` is a Base64-encoded DER CSR. */
export const CertificateSignRequestDto = z
  .object({
    request: z.string(),
    format: CertificateRequestFormat.default('pkcs10'),
    raProfileAttributes: z.array(RequestAttributeDto),
    attributes: z.array(RequestAttributeDto),
  })
  .meta({ id: 'CertificateSignRequestDto' });
export type CertificateSignRequestDto = z.output<typeof CertificateSignRequestDto>;

/** Used for both renewal and rekey: `certificate` is the old certificate, `meta` the metadata returned with it. */
export const CertificateRenewRequestDto = z
  .object({
    request: z.string(),
    format: CertificateRequestFormat.default('pkcs10'),
    raProfileAttributes: z.array(RequestAttributeDto),
    certificate: z.string(),
    meta: z.array(MetadataAttribute),
  })
  .meta({ id: 'CertificateRenewRequestDto' });
export type CertificateRenewRequestDto = z.output<typeof CertificateRenewRequestDto>;

export const CertRevocationDto = z
  .object({
    reason: CertificateRevocationReason,
    raProfileAttributes: z.array(RequestAttributeDto),
    attributes: z.array(RequestAttributeDto),
    certificate: z.string(),
  })
  .meta({ id: 'CertRevocationDto' });
export type CertRevocationDto = z.output<typeof CertRevocationDto>;

/** Certificate to release from hold. Not part of the published interface. */
export const CertificateReleaseDto = z
  .object({ raProfileAttributes: z.array(RequestAttributeDto), certificate: z.string() })
  .meta({ id: 'CertificateReleaseDto' });
export type CertificateReleaseDto = z.output<typeof CertificateReleaseDto>;

export const CertificateIdentificationRequestDto = z
  .object({ certificate: z.string(), raProfileAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'CertificateIdentificationRequestDto' });
export type CertificateIdentificationRequestDto = z.output<typeof CertificateIdentificationRequestDto>;

export const CertificateIdentificationResponseDto = z
  .object({ meta: z.array(MetadataAttribute) })
  .meta({ id: 'CertificateIdentificationResponseDto' });
export type CertificateIdentificationResponseDto = z.output<typeof CertificateIdentificationResponseDto>;
