// Keys as returned by the cryptography provider. A key's format determines the form of its value.
import { z } from 'zod';
import { KeyAlgorithm, KeyFormat, KeyType } from '../enums/keys.ts';
import { int32 } from '../primitives.ts';
import { MetadataAttribute, RequestAttributeDto } from '../shared/attributes.ts';

/** Every value except `CustomKeyValue` is a Base64-encoded structure, e.g. a SubjectPublicKeyInfo (RFC 5280 §4.1). */
const encodedValue = <const Id extends string>(id: Id) => z.object({ value: z.string() }).meta({ id });

export const RawKeyValue = encodedValue('RawKeyValue');
export const SpkiKeyValue = encodedValue('SpkiKeyValue');
export const PrkiKeyValue = encodedValue('PrkiKeyValue');
export const EprkiKeyValue = encodedValue('EprkiKeyValue');
/** A reference to a key that does not leave its token. The connector chooses the members. */
export const CustomKeyValue = z.object({ values: z.record(z.string(), z.string()) }).meta({ id: 'CustomKeyValue' });

const KeyValue = z.union([RawKeyValue, SpkiKeyValue, PrkiKeyValue, EprkiKeyValue, CustomKeyValue]);

export const KeyData = z
  .object({
    type: KeyType,
    algorithm: KeyAlgorithm,
    format: KeyFormat,
    value: KeyValue,
    /** Key length in bits. */
    length: int32(),
    metadata: z.array(MetadataAttribute).optional(),
  })
  .refine(({ format, value }) => (format === 'Custom') === 'values' in value, {
    message: 'must match the key format',
    path: ['value'],
  })
  .meta({ id: 'KeyData' });
export type KeyData = z.output<typeof KeyData>;

/** Keys that belong together, such as the two halves of a key pair, have the same `association`. */
export const KeyDataResponseDto = z
  .object({ uuid: z.string(), name: z.string(), association: z.string().optional(), keyData: KeyData })
  .meta({ id: 'KeyDataResponseDto' });
export type KeyDataResponseDto = z.output<typeof KeyDataResponseDto>;

export const KeyPairDataResponseDto = z
  .object({ publicKeyData: KeyDataResponseDto, privateKeyData: KeyDataResponseDto })
  .meta({ id: 'KeyPairDataResponseDto' });
export type KeyPairDataResponseDto = z.output<typeof KeyPairDataResponseDto>;

export const CreateKeyRequestDto = z
  .object({
    tokenProfileAttributes: z.array(RequestAttributeDto),
    createKeyAttributes: z.array(RequestAttributeDto),
  })
  .meta({ id: 'CreateKeyRequestDto' });
export type CreateKeyRequestDto = z.output<typeof CreateKeyRequestDto>;
