// Cryptographic operations with keys: sign, verify, encrypt, decrypt. Data is Base64.
import { z } from 'zod';
import { RandomDataRequestDto, VerifyDataResponseDto } from '../connector/crypto-operation-shapes.ts';
import { KeyAlgorithm } from '../enums/keys.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import type { Action } from './resource-actions.ts';
import { sightOfCredentials } from './referenced-objects.ts';

// The cryptography provider interface uses the same names for schemas that validate the Base64 encoding.

const sent = { data: z.string(), identifier: z.string().optional() };
const answered = { ...sent, details: z.unknown().optional() };

/** `identifier` distinguishes the items of an array and is returned with each result. */
export const CipherRequestData = z.object(sent).meta({ id: 'CipherRequestData' });
export const CipherResponseData = z.object(answered).meta({ id: 'CipherResponseData' });
export const SignatureRequestData = z.object(sent).meta({ id: 'SignatureRequestData' });
export const SignatureResponseData = z.object(answered).meta({ id: 'SignatureResponseData' });

/** Used in both directions: the data to encrypt or to decrypt. */
export const CipherDataRequestDto = z
  .object({ cipherAttributes: z.array(RequestAttributeDto), cipherData: z.array(CipherRequestData) })
  .meta({ id: 'CipherDataRequestDto' });
export type CipherDataRequestDto = z.output<typeof CipherDataRequestDto>;

export const EncryptDataResponseDto = z
  .object({ encryptedData: z.array(CipherResponseData) })
  .meta({ id: 'EncryptDataResponseDto' });
export type EncryptDataResponseDto = z.output<typeof EncryptDataResponseDto>;

export const DecryptDataResponseDto = z
  .object({ decryptedData: z.array(CipherResponseData) })
  .meta({ id: 'DecryptDataResponseDto' });
export type DecryptDataResponseDto = z.output<typeof DecryptDataResponseDto>;

export const SignDataRequestDto = z
  .object({ signatureAttributes: z.array(RequestAttributeDto), data: z.array(SignatureRequestData) })
  .meta({ id: 'SignDataRequestDto' });
export type SignDataRequestDto = z.output<typeof SignDataRequestDto>;

export const SignDataResponseDto = z
  .object({ signatures: z.array(SignatureResponseData) })
  .meta({ id: 'SignDataResponseDto' });
export type SignDataResponseDto = z.output<typeof SignDataResponseDto>;

/** Signatures are in the same order as the data. */
export const VerifyDataRequestDto = z
  .object({
    signatureAttributes: z.array(RequestAttributeDto),
    data: z.array(SignatureRequestData),
    signatures: z.array(SignatureRequestData),
  })
  .meta({ id: 'VerifyDataRequestDto' });
export type VerifyDataRequestDto = z.output<typeof VerifyDataRequestDto>;

export const RandomDataResponseDto = z.object({ data: z.string() }).meta({ id: 'RandomDataResponseDto' });
export type RandomDataResponseDto = z.output<typeof RandomDataResponseDto>;

const keyPath = '/v1/operations/tokens/{tokenInstanceUuid}/tokenProfiles/{tokenProfileUuid}/keys/{uuid}/items';
const keyParams = { tokenInstanceUuid: uuid(), tokenProfileUuid: uuid(), uuid: uuid(), keyItemUuid: uuid() };

/** Permission on the key, and permission to see its token and token profile. */
const withKey = <const Name extends Action>(action: Name) =>
  ({
    access: {
      action,
      object: 'uuid',
      parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' },
    },
    also: [{ resource: 'tokenProfiles', action: 'detail', object: 'tokenProfileUuid' }, sightOfCredentials],
  }) as const;

/**
 * Permission to list the attributes of operations with a key. Some clients send the token in place of the token
 * profile, so the use case determines the token profile.
 */
const attributesOfKey = {
  ...withKey('ANY'),
  also: [
    { resource: 'tokenProfiles', action: 'detail', where: "always, on the key's token profile" },
    sightOfCredentials,
  ],
} as const;

/** Requests are checked before they are sent to the provider; its responses are checked before they are returned. */
export const keyUseOperations = operations(
  { tag: 'Cryptographic Operations', resource: 'keys', module: 'keys', errors: connectorRuleErrors },
  {
    listCipherAttributes: {
      route: `GET ${keyPath}/{keyItemUuid}/cipher/{algorithm}/attributes`,
      summary: 'List of cipher Attributes',
      params: z.object({ ...keyParams, algorithm: KeyAlgorithm }),
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      ...attributesOfKey,
    },
    encryptData: {
      route: `POST ${keyPath}/{keyItemUuid}/encrypt`,
      summary: 'Encrypt data using a Key',
      body: CipherDataRequestDto,
      answer: EncryptDataResponseDto,
      ...withKey('encrypt'),
      audit: 'encrypt',
    },
    decryptData: {
      route: `POST ${keyPath}/{keyItemUuid}/decrypt`,
      summary: 'Decrypt data using a Key',
      body: CipherDataRequestDto,
      answer: DecryptDataResponseDto,
      ...withKey('decrypt'),
      audit: 'decrypt',
    },
    listSignatureAttributes: {
      route: `GET ${keyPath}/{keyItemUuid}/signature/{algorithm}/attributes`,
      summary: 'List of signature Attributes',
      params: z.object({ ...keyParams, algorithm: KeyAlgorithm }),
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      ...attributesOfKey,
    },
    signData: {
      route: `POST ${keyPath}/{keyItemUuid}/sign`,
      summary: 'Sign data using a Key',
      body: SignDataRequestDto,
      answer: SignDataResponseDto,
      ...withKey('sign'),
      audit: 'sign',
    },
    verifyData: {
      route: `POST ${keyPath}/{keyItemUuid}/verify`,
      summary: 'Verify data using a Key',
      body: VerifyDataRequestDto,
      answer: VerifyDataResponseDto,
      ...withKey('verify'),
      audit: 'verify',
    },
    listRandomAttributes: {
      route: 'GET /v1/operations/tokens/{tokenInstanceUuid}/random/attributes',
      summary: 'List of random generator Attributes',
      answer: z.array(BaseAttributeDto),
      errors: connectorErrors,
      access: { resource: 'tokens', action: 'ANY', object: 'tokenInstanceUuid' },
    },
    randomData: {
      route: 'POST /v1/operations/tokens/{tokenInstanceUuid}/random',
      summary: 'Generate random data',
      body: RandomDataRequestDto,
      answer: RandomDataResponseDto,
      access: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' },
      audit: { module: 'keys', resource: 'tokens', operation: 'randomData' },
    },
  },
);
