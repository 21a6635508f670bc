// Locations, places that hold certificates, as certificates show them.
import { z } from 'zod';
import { CertificateState, CertificateValidationStatus } from '../enums/certificates.ts';
import { MetadataResponseDto, ResponseAttributeDto } from '../shared/attributes.ts';

export const CertificateInLocationDto = z
  .object({
    certificateUuid: z.string(),
    state: CertificateState,
    validationStatus: CertificateValidationStatus,
    commonName: z.string(),
    serialNumber: z.string(),
    metadata: z.array(MetadataResponseDto).optional(),
    pushAttributes: z.array(ResponseAttributeDto).optional(),
    csrAttributes: z.array(ResponseAttributeDto).optional(),
    withKey: z.boolean().default(false),
  })
  .meta({ id: 'CertificateInLocationDto' });
export type CertificateInLocationDto = z.output<typeof CertificateInLocationDto>;

export const LocationDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    entityInstanceUuid: z.string(),
    entityInstanceName: z.string(),
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    enabled: z.boolean(),
    supportMultipleEntries: z.boolean().default(false),
    supportKeyManagement: z.boolean().default(false),
    certificates: z.array(CertificateInLocationDto),
    metadata: z.array(MetadataResponseDto).optional(),
  })
  .meta({ id: 'LocationDto' });
export type LocationDto = z.output<typeof LocationDto>;
