// Entity provider schemas: entities (servers, devices) and the locations on them that hold certificates.
import { z } from 'zod';
import { CertificateType } from '../enums/certificates.ts';
import { BaseAttributeDto, DataAttribute, MetadataAttribute, RequestAttributeDto } from '../shared/attributes.ts';

// The first two names have a prefix because the platform's own interface uses the names without it for different
// schemas.

export const ProviderEntityInstanceDto = z
  .object({ uuid: z.string(), name: z.string(), attributes: z.array(BaseAttributeDto) })
  .meta({ id: 'EntityInstanceDto' });
export type ProviderEntityInstanceDto = z.output<typeof ProviderEntityInstanceDto>;

export const ProviderEntityInstanceRequestDto = z
  .object({ name: z.string(), kind: z.string(), attributes: z.array(RequestAttributeDto) })
  .meta({ id: 'EntityInstanceRequestDto' });
export type ProviderEntityInstanceRequestDto = z.output<typeof ProviderEntityInstanceRequestDto>;

export const LocationDetailRequestDto = z
  .object({ locationAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'LocationDetailRequestDto' });
export type LocationDetailRequestDto = z.output<typeof LocationDetailRequestDto>;

/** A certificate in a location. `certificateData` is Base64-encoded DER. */
export const CertificateLocationDto = z
  .object({
    certificateData: z.string(),
    /** The platform sends this metadata back when the certificate is to be removed. */
    metadata: z.array(MetadataAttribute).optional(),
    certificateType: CertificateType.default('X.509'),
    withKey: z.boolean(),
    pushAttributes: z.array(DataAttribute).optional(),
    csrAttributes: z.array(DataAttribute).optional(),
  })
  .meta({ id: 'CertificateLocationDto' });
export type CertificateLocationDto = z.output<typeof CertificateLocationDto>;

export const LocationDetailResponseDto = z
  .object({
    certificates: z.array(CertificateLocationDto),
    metadata: z.array(MetadataAttribute).optional(),
    multipleEntries: z.boolean().default(false),
    supportKeyManagement: z.boolean().default(false),
  })
  .meta({ id: 'LocationDetailResponseDto' });
export type LocationDetailResponseDto = z.output<typeof LocationDetailResponseDto>;

/** `certificate` is Base64-encoded DER. */
export const PushCertificateRequestDto = z
  .object({
    certificate: z.string(),
    certificateType: CertificateType.default('X.509'),
    locationAttributes: z.array(RequestAttributeDto),
    pushAttributes: z.array(RequestAttributeDto),
  })
  .meta({ id: 'PushCertificateRequestDto' });
export type PushCertificateRequestDto = z.output<typeof PushCertificateRequestDto>;

export const PushCertificateResponseDto = z
  .object({ certificateMetadata: z.array(MetadataAttribute).optional(), withKey: z.boolean().optional() })
  .meta({ id: 'PushCertificateResponseDto' });
export type PushCertificateResponseDto = z.output<typeof PushCertificateResponseDto>;

export const RemoveCertificateRequestDto = z
  .object({ certificateMetadata: z.array(MetadataAttribute), locationAttributes: z.array(RequestAttributeDto) })
  .meta({ id: 'RemoveCertificateRequestDto' });
export type RemoveCertificateRequestDto = z.output<typeof RemoveCertificateRequestDto>;

export const RemoveCertificateResponseDto = z
  .object({ certificateMetadata: z.array(MetadataAttribute) })
  .meta({ id: 'RemoveCertificateResponseDto' });
export type RemoveCertificateResponseDto = z.output<typeof RemoveCertificateResponseDto>;

/**
 * `renewal`: the CSR is for the certificate identified by the attributes, which remains in place until the new one is
 * pushed.
 */
export const GenerateCsrRequestDto = z
  .object({
    locationAttributes: z.array(RequestAttributeDto),
    csrAttributes: z.array(RequestAttributeDto),
    renewal: z.boolean(),
  })
  .meta({ id: 'GenerateCsrRequestDto' });
export type GenerateCsrRequestDto = z.output<typeof GenerateCsrRequestDto>;

/** `csr` is Base64-encoded DER. The platform sends `pushAttributes` back with the certificate. */
export const GenerateCsrResponseDto = z
  .object({
    csr: z.string(),
    metadata: z.array(MetadataAttribute).optional(),
    certificateType: CertificateType.optional(),
    pushAttributes: z.array(RequestAttributeDto),
  })
  .meta({ id: 'GenerateCsrResponseDto' });
export type GenerateCsrResponseDto = z.output<typeof GenerateCsrResponseDto>;
