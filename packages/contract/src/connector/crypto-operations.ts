// Operations that use a cryptography provider's keys or its token's random number generator.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import {
  ProviderCipherDataRequestDto,
  ProviderDecryptDataResponseDto,
  ProviderEncryptDataResponseDto,
  ProviderRandomDataResponseDto,
  ProviderSignDataRequestDto,
  ProviderSignDataResponseDto,
  ProviderVerifyDataRequestDto,
  RandomDataRequestDto,
  VerifyDataResponseDto,
} from './crypto-operation-shapes.ts';

const tokenParam = z.object({ uuid: z.string() });
const keyParams = z.object({ uuid: z.string(), keyUuid: z.string() });

export const cryptographicOperations = operations(
  { tag: 'Cryptographic Operations', errors: ruleErrors },
  {
    encryptData: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/encrypt',
      summary: 'Encrypt data using a Key',
      params: keyParams,
      body: ProviderCipherDataRequestDto,
      answer: ProviderEncryptDataResponseDto,
      repeated: 'harmless',
    },
    decryptData: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/decrypt',
      summary: 'Decrypt data using a Key',
      params: keyParams,
      body: ProviderCipherDataRequestDto,
      answer: ProviderDecryptDataResponseDto,
      repeated: 'harmless',
    },
    /** A second signature on the same data is as good as the first, but the number of signatures may be counted. */
    signData: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/sign',
      summary: 'Sign data using a Key',
      params: keyParams,
      body: ProviderSignDataRequestDto,
      answer: ProviderSignDataResponseDto,
      repeated: 'same',
    },
    verifyData: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/verify',
      summary: 'Verify data using a Key',
      params: keyParams,
      body: ProviderVerifyDataRequestDto,
      answer: VerifyDataResponseDto,
      repeated: 'harmless',
    },
    randomData: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/random',
      summary: 'Generate random data',
      params: tokenParam,
      body: RandomDataRequestDto,
      answer: ProviderRandomDataResponseDto,
      repeated: 'harmless',
    },
    listRandomAttributes: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/keys/random/attributes',
      summary: 'List of random generator Attributes',
      params: tokenParam,
      answer: z.array(BaseAttributeDto),
      errors: objectErrors,
    },
    validateRandomAttributes: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/random/attributes/validate',
      summary: 'Validate random generator Attributes',
      params: tokenParam,
      body: z.array(RequestAttributeDto),
    },
  },
);
