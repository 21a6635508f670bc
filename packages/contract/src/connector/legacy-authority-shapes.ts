// Shapes of authorities of the first generation: end entities, and certificates issued to them.
import { z } from 'zod';
import { CertificateRevocationReason } from '../enums/certificates.ts';
import { EndEntityStatus } from '../enums/end-entities.ts';
import { RaProfileDto } from '../platform/ra-profiles.ts';

/** A further member of an end entity, by the name that the authority knows. */
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

/** The end entity as it shall be: everything is replaced. */
export const EditEndEntityRequestDto = z
  .object({ ...endEntity, raProfile: RaProfileDto, password: z.string(), status: EndEntityStatus })
  .meta({ id: 'EditEndEntityRequestDto' });
export type EditEndEntityRequestDto = z.output<typeof EditEndEntityRequestDto>;

/** `pkcs10` is Base64 of DER; name and password are those of the end entity. */
export const LegacyCertificateSignRequestDto = z
  .object({ password: z.string(), pkcs10: z.string(), username: z.string() })
  .meta({ id: 'LegacyCertificateSignRequestDto' });
export type LegacyCertificateSignRequestDto = z.output<typeof LegacyCertificateSignRequestDto>;

/** Base64 of a DER certificate. */
export const CertificateSignResponseDto = z
  .object({ certificateData: z.string() })
  .meta({ id: 'CertificateSignResponseDto' });
export type CertificateSignResponseDto = z.output<typeof CertificateSignResponseDto>;

/** The certificate by its issuer and serial number, in hexadecimal digits. */
export const LegacyCertRevocationDto = z
  .object({ certificateSN: z.string(), issuerDN: z.string(), reason: CertificateRevocationReason })
  .meta({ id: 'LegacyCertRevocationDto' });
export type LegacyCertRevocationDto = z.output<typeof LegacyCertRevocationDto>;
