// Schemas for first-generation authorities: end entities, and the certificates issued to them.
import { z } from 'zod';
import { CertificateRevocationReason } from '../enums/certificates.ts';
import { EndEntityStatus } from '../enums/end-entities.ts';
import { RaProfileDto } from '../platform/ra-profiles.ts';

/** An additional property of an end entity, under the authority's name for it. */
export const EndEntityExtendedInfoDto = z
  .object({ name: z.string().optional(), value: z.string().optional() })
  .meta({ id: 'EndEntityExtendedInfoDto' });
export type EndEntityExtendedInfoDto = z.output<typeof EndEntityExtendedInfoDto>;

const endEntity = {
  subjectDN: z.string(),
  email: z.string().optional(),
  extensionData: z.array(EndEntityExtendedInfoDto).optional(),
  subjectAltName: z.string().optional(),
};

export const EndEntityDto = z
  .object({ ...endEntity, status: EndEntityStatus, username: z.string() })
  .meta({ id: 'EndEntityDto' });
export type EndEntityDto = z.output<typeof EndEntityDto>;

export const AddEndEntityRequestDto = z
  .object({ ...endEntity, raProfile: RaProfileDto, password: z.string(), username: z.string() })
  .meta({ id: 'AddEndEntityRequestDto' });
export type AddEndEntityRequestDto = z.output<typeof AddEndEntityRequestDto>;

/** The end entity's complete new state. All values are replaced. */
export const EditEndEntityRequestDto = z
  .object({ ...endEntity, raProfile: RaProfileDto, password: z.string(), status: EndEntityStatus })
  .meta({ id: 'EditEndEntityRequestDto' });
export type EditEndEntityRequestDto = z.output<typeof EditEndEntityRequestDto>;

/** `pkcs10` is Base64-encoded DER. The name and password are those of the end entity. */
export const LegacyCertificateSignRequestDto = z
  .object({ password: z.string(), pkcs10: z.string(), username: z.string() })
  .meta({ id: 'LegacyCertificateSignRequestDto' });
export type LegacyCertificateSignRequestDto = z.output<typeof LegacyCertificateSignRequestDto>;

/** A Base64-encoded DER certificate. */
export const CertificateSignResponseDto = z
  .object({ certificateData: z.string() })
  .meta({ id: 'CertificateSignResponseDto' });
export type CertificateSignResponseDto = z.output<typeof CertificateSignResponseDto>;

/** Identifies the certificate by its issuer and its serial number in hexadecimal. */
export const LegacyCertRevocationDto = z
  .object({ certificateSN: z.string(), issuerDN: z.string(), reason: CertificateRevocationReason })
  .meta({ id: 'LegacyCertRevocationDto' });
export type LegacyCertRevocationDto = z.output<typeof LegacyCertRevocationDto>;
