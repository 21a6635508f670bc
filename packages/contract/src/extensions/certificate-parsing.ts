// Everything that a certificate says, for people: its fields, and every extension by name and value. Not part of the
// published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';

/**
 * How the text is to be shown where it is not plain: `hex` for octets in lower-case hex, `time` for an instant in
 * ISO 8601, `uri` for an address.
 */
export const ParsedValueForm = z.enum(['hex', 'time', 'uri']).meta({ id: 'ParsedValueForm' });
export type ParsedValueForm = z.output<typeof ParsedValueForm>;

/** Something that an extension says. It can be shown without knowing the extension. */
export const ParsedValueDto: z.ZodType<ParsedValueDto, ParsedValueDto> = z
  .object({
    label: z.string(),
    /** Absent where the members say it all, or the label alone. */
    text: z.string().optional(),
    form: ParsedValueForm.optional(),
    /** The object identifier that the text names; the one that the label names where there is no text. */
    oid: z.string().optional(),
    get members(): z.ZodOptional<z.ZodArray<z.ZodType<ParsedValueDto, ParsedValueDto>>> {
      return z.array(ParsedValueDto).optional();
    },
  })
  .meta({ id: 'ParsedValueDto' });
export interface ParsedValueDto {
  label: string;
  text?: string | undefined;
  form?: ParsedValueForm | undefined;
  oid?: string | undefined;
  members?: ParsedValueDto[] | undefined;
}

/** Why a value cannot be read; `offset` counts octets from the start of the value. */
export const ParsedProblemDto = z
  .object({ message: z.string(), offset: int32().optional() })
  .meta({ id: 'ParsedProblemDto' });
export type ParsedProblemDto = z.output<typeof ParsedProblemDto>;

export const ParsedExtensionDto = z
  .object({
    oid: z.string(),
    /** Absent for extensions that have no well-known name. */
    name: z.string().optional(),
    critical: z.boolean(),
    /** Empty where the extension is not known or its value cannot be read. */
    values: z.array(ParsedValueDto),
    /** The octets of a value that is not known or cannot be read, in lower-case hex. */
    hex: z.string().optional(),
    problem: ParsedProblemDto.optional(),
  })
  .meta({ id: 'ParsedExtensionDto' });
export type ParsedExtensionDto = z.output<typeof ParsedExtensionDto>;

export const ParsedNameDto = z
  .object({
    /** As in `subjectDn` and `issuerDn` of other operations. */
    text: z.string(),
    /** The same name with the escapes of RFC 4514, from which it can be read back. */
    rfc4514: z.string(),
  })
  .meta({ id: 'ParsedNameDto' });
export type ParsedNameDto = z.output<typeof ParsedNameDto>;

export const ParsedKeyDto = z
  .object({
    /** With the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`; the identifier when the algorithm is not known. */
    algorithm: z.string(),
    oid: z.string(),
    size: int32(),
    curve: z.string().optional(),
    /** Lower-case hex SHA-256 of the SubjectPublicKeyInfo. */
    fingerprint: z.string(),
  })
  .meta({ id: 'ParsedKeyDto' });
export type ParsedKeyDto = z.output<typeof ParsedKeyDto>;

export const ParsedSignatureDto = z
  .object({
    algorithm: z.string(),
    oid: z.string(),
    /** Lower-case hex. */
    hex: z.string(),
  })
  .meta({ id: 'ParsedSignatureDto' });
export type ParsedSignatureDto = z.output<typeof ParsedSignatureDto>;

/** Lower-case hex, of the DER form. */
export const ParsedFingerprintsDto = z
  .object({ sha1: z.string(), sha256: z.string() })
  .meta({ id: 'ParsedFingerprintsDto' });
export type ParsedFingerprintsDto = z.output<typeof ParsedFingerprintsDto>;

export const ParsedCertificateDto = z
  .object({
    uuid: uuid(),
    version: int32(),
    /** Lower-case hex without leading zeros. */
    serialNumber: z.string(),
    subject: ParsedNameDto,
    issuer: ParsedNameDto,
    notBefore: dateTime(),
    notAfter: dateTime(),
    publicKey: ParsedKeyDto,
    signature: ParsedSignatureDto,
    fingerprints: ParsedFingerprintsDto,
    /** In the order of the certificate. */
    extensions: z.array(ParsedExtensionDto),
  })
  .meta({ id: 'ParsedCertificateDto' });
export type ParsedCertificateDto = z.output<typeof ParsedCertificateDto>;

export const certificateParsingOperations = operations(
  { tag: 'Certificate Parsing', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /** Only for certificates that were issued. An extension that cannot be read does not keep the others from it. */
    getParsedCertificate: {
      route: 'GET /x/v1/certificates/{uuid}/parsed',
      summary: 'Get everything that a certificate says, every extension read',
      answer: ParsedCertificateDto,
      access: { action: 'detail', object: 'uuid' },
      also: [memberOfItsRaProfile],
    },
  },
);
