// Operations on keys in a cryptography provider's token. Keys are generated inside the token, which takes time.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { CreateKeyRequestDto, KeyDataResponseDto, KeyPairDataResponseDto } from './key-shapes.ts';

const tokenParam = z.object({ uuid: z.string() });
const keyParams = z.object({ uuid: z.string(), keyUuid: z.string() });
const definitions = z.array(BaseAttributeDto);
const values = z.array(RequestAttributeDto);

export const keyOperations = operations(
  { tag: 'Key Management', errors: ruleErrors },
  {
    listKeys: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/keys',
      summary: 'List Keys for the Token instance',
      params: tokenParam,
      answer: z.array(KeyDataResponseDto),
      pace: 'slow',
    },
    getKey: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}',
      summary: 'Get details about the Key',
      params: keyParams,
      answer: KeyDataResponseDto,
    },
    destroyKey: {
      route: 'DELETE /v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}',
      summary: 'Destroy a Key',
      params: keyParams,
    },
    createKeyPair: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/pair',
      summary: 'Create a Key Pair, Public and Private Key',
      params: tokenParam,
      body: CreateKeyRequestDto,
      answer: KeyPairDataResponseDto,
      pace: 'slow',
    },
    listCreateKeyPairAttributes: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/keys/pair/attributes',
      summary: 'List of Attributes to create a Key Pair',
      params: tokenParam,
      answer: definitions,
      errors: objectErrors,
    },
    validateCreateKeyPairAttributes: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/pair/attributes/validate',
      summary: 'Validate list of Attributes to create a Key Pair',
      params: tokenParam,
      body: values,
    },
    createSecretKey: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/secret',
      summary: 'Create a Secret Key',
      params: tokenParam,
      body: CreateKeyRequestDto,
      answer: KeyDataResponseDto,
      pace: 'slow',
    },
    listCreateSecretKeyAttributes: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/keys/secret/attributes',
      summary: 'List of Attributes to create a Secret Key',
      params: tokenParam,
      answer: definitions,
      errors: objectErrors,
    },
    validateCreateSecretKeyAttributes: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/keys/secret/attributes/validate',
      summary: 'Validate list of Attributes to create a Secret Key',
      params: tokenParam,
      body: values,
    },
  },
);
