// Human-readable certificate content: the fields, and every extension with its name and value. Not part of the
// published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';

/**
 * Display format of text that is not plain: `hex` for bytes in lowercase hex, `time` for an ISO 8601 timestamp, `uri`
 * for a URI.
 */
export const ParsedValueForm = z.enum(['hex', 'time', 'uri']).meta({ id: 'ParsedValueForm' });
export type ParsedValueForm = z.output<typeof ParsedValueForm>;

/** One item of an extension's content. Clients can display it without knowing the extension. */
export const ParsedValueDto: z.ZodType<ParsedValueDto, ParsedValueDto> = z
  .object({
    label: z.string(),
    /** Absent if the members or the label are sufficient. */
    text: z.string().optional(),
    form: ParsedValueForm.optional(),
    /** OID of the object named by the text or, if there is no text, by the label. */
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

/** Why a value cannot be parsed; `offset` is in bytes from the start of the value. */
export const ParsedProblemDto = z
  .object({ message: z.string(), offset: int32().optional() })
  .meta({ id: 'ParsedProblemDto' });
export type ParsedProblemDto = z.output<typeof ParsedProblemDto>;

export const ParsedExtensionDto = z
  .object({
    oid: z.string(),
    /** Absent for extensions without a well-known name. */
    name: z.string().optional(),
    critical: z.boolean(),
    /** Empty if the extension is unknown or its value cannot be parsed. */
    values: z.array(ParsedValueDto),
    /** Lowercase hex bytes of a value that is unknown or cannot be parsed. */
    hex: z.string().optional(),
    problem: ParsedProblemDto.optional(),
  })
  .meta({ id: 'ParsedExtensionDto' });
export type ParsedExtensionDto = z.output<typeof ParsedExtensionDto>;

export const ParsedNameDto = z
  .object({
    /** Same format as `subjectDn` and `issuerDn` in other operations. */
    text: z.string(),
    /** The same name with RFC 4514 escaping, so that it can be parsed again. */
    rfc4514: z.string(),
  })
  .meta({ id: 'ParsedNameDto' });
export type ParsedNameDto = z.output<typeof ParsedNameDto>;

export const ParsedKeyDto = z
  .object({
    /** Algorithm including its parameter set: `RSA`, `ECDSA`, `ML-DSA-65`. The OID if the algorithm is unknown. */
    algorithm: z.string(),
    oid: z.string(),
    size: int32(),
    curve: z.string().optional(),
    /** Lowercase hex SHA-256 of the SubjectPublicKeyInfo. */
    fingerprint: z.string(),
  })
  .meta({ id: 'ParsedKeyDto' });
export type ParsedKeyDto = z.output<typeof ParsedKeyDto>;

export const ParsedSignatureDto = z
  .object({
    algorithm: z.string(),
    oid: z.string(),
    /** Lowercase hex. */
    hex: z.string(),
  })
  .meta({ id: 'ParsedSignatureDto' });
export type ParsedSignatureDto = z.output<typeof ParsedSignatureDto>;

/** Lowercase hex hashes of the DER encoding. */
export const ParsedFingerprintsDto = z
  .object({ sha1: z.string(), sha256: z.string() })
  .meta({ id: 'ParsedFingerprintsDto' });
export type ParsedFingerprintsDto = z.output<typeof ParsedFingerprintsDto>;

export const ParsedCertificateDto = z
  .object({
    uuid: uuid(),
    version: int32(),
    /** Lowercase hex without leading zeros. */
    serialNumber: z.string(),
    subject: ParsedNameDto,
    issuer: ParsedNameDto,
    notBefore: dateTime(),
    notAfter: dateTime(),
    publicKey: ParsedKeyDto,
    signature: ParsedSignatureDto,
    fingerprints: ParsedFingerprintsDto,
    /** In the same order as in the certificate. */
    extensions: z.array(ParsedExtensionDto),
  })
  .meta({ id: 'ParsedCertificateDto' });
export type ParsedCertificateDto = z.output<typeof ParsedCertificateDto>;

export const certificateParsingOperations = operations(
  { tag: 'Certificate Parsing', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /** Only for issued certificates. An extension that cannot be parsed does not affect the others. */
    getParsedCertificate: {
      route: 'GET /x/v1/certificates/{uuid}/parsed',
      summary: 'Get the parsed fields and extensions of a certificate',
      answer: ParsedCertificateDto,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
  },
);
