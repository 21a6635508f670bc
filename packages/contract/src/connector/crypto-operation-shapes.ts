// Data to encrypt, decrypt, sign and verify with a cryptography provider's keys. Data is Base64-encoded. `identifier`
// distinguishes the items in an array and is returned with each result. The platform's own interface uses the same
// names for schemas with a different data format, hence the prefix.
import { z } from 'zod';
import { base64, int32 } from '../primitives.ts';
import { RequestAttributeDto } from '../shared/attributes.ts';

const sent = { data: base64(), identifier: z.string().optional() };
const answered = { ...sent, details: z.unknown().optional() };

export const ProviderCipherRequestData = z.object(sent).meta({ id: 'CipherRequestData' });
export type ProviderCipherRequestData = z.output<typeof ProviderCipherRequestData>;

export const ProviderCipherResponseData = z.object(answered).meta({ id: 'CipherResponseData' });
export type ProviderCipherResponseData = z.output<typeof ProviderCipherResponseData>;

/** Used in both directions: the data to encrypt or to decrypt. */
export const ProviderCipherDataRequestDto = z
  .object({ cipherAttributes: z.array(RequestAttributeDto), cipherData: z.array(ProviderCipherRequestData) })
  .meta({ id: 'CipherDataRequestDto' });
export type ProviderCipherDataRequestDto = z.output<typeof ProviderCipherDataRequestDto>;

export const ProviderEncryptDataResponseDto = z
  .object({ encryptedData: z.array(ProviderCipherResponseData) })
  .meta({ id: 'EncryptDataResponseDto' });
export type ProviderEncryptDataResponseDto = z.output<typeof ProviderEncryptDataResponseDto>;

export const ProviderDecryptDataResponseDto = z
  .object({ decryptedData: z.array(ProviderCipherResponseData) })
  .meta({ id: 'DecryptDataResponseDto' });
export type ProviderDecryptDataResponseDto = z.output<typeof ProviderDecryptDataResponseDto>;

export const ProviderSignatureRequestData = z.object(sent).meta({ id: 'SignatureRequestData' });
export type ProviderSignatureRequestData = z.output<typeof ProviderSignatureRequestData>;

export const ProviderSignatureResponseData = z.object(answered).meta({ id: 'SignatureResponseData' });
export type ProviderSignatureResponseData = z.output<typeof ProviderSignatureResponseData>;

/** The attributes determine whether `data` is the data to sign or its hash. */
export const ProviderSignDataRequestDto = z
  .object({ signatureAttributes: z.array(RequestAttributeDto), data: z.array(ProviderSignatureRequestData) })
  .meta({ id: 'SignDataRequestDto' });
export type ProviderSignDataRequestDto = z.output<typeof ProviderSignDataRequestDto>;

export const ProviderSignDataResponseDto = z
  .object({ signatures: z.array(ProviderSignatureResponseData) })
  .meta({ id: 'SignDataResponseDto' });
export type ProviderSignDataResponseDto = z.output<typeof ProviderSignDataResponseDto>;

export const ProviderVerifyDataRequestDto = z
  .object({
    signatureAttributes: z.array(RequestAttributeDto),
    data: z.array(ProviderSignatureRequestData),
    signatures: z.array(ProviderSignatureRequestData),
  })
  .meta({ id: 'VerifyDataRequestDto' });
export type ProviderVerifyDataRequestDto = z.output<typeof ProviderVerifyDataRequestDto>;

export const VerificationResponseData = z
  .object({ result: z.boolean(), identifier: z.string().optional(), details: z.unknown().optional() })
  .meta({ id: 'VerificationResponseData' });
export type VerificationResponseData = z.output<typeof VerificationResponseData>;

export const VerifyDataResponseDto = z
  .object({ verifications: z.array(VerificationResponseData) })
  .meta({ id: 'VerifyDataResponseDto' });
export type VerifyDataResponseDto = z.output<typeof VerifyDataResponseDto>;

/** `length` is the number of bytes. */
export const RandomDataRequestDto = z
  .object({ length: int32(), attributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'RandomDataRequestDto' });
export type RandomDataRequestDto = z.output<typeof RandomDataRequestDto>;

export const ProviderRandomDataResponseDto = z.object({ data: base64() }).meta({ id: 'RandomDataResponseDto' });
export type ProviderRandomDataResponseDto = z.output<typeof ProviderRandomDataResponseDto>;
