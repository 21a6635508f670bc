// Operations on a cryptography provider's tokens. The connector does not store token profiles: each call includes the
// profile's attributes.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { ProviderTokenInstanceDto, ProviderTokenInstanceRequestDto, TokenInstanceStatusDto } from './token-shapes.ts';

/** Identifier that the connector assigned to the token. */
const tokenParam = z.object({ uuid: z.string() });
const definitions = z.array(BaseAttributeDto);
const values = z.array(RequestAttributeDto);

export const tokenOperations = operations(
  { tag: 'Token Management', errors: objectErrors },
  {
    listTokenInstances: {
      route: 'GET /v1/cryptographyProvider/tokens',
      summary: 'List Token instances',
      answer: z.array(ProviderTokenInstanceDto),
    },
    createTokenInstance: {
      route: 'POST /v1/cryptographyProvider/tokens',
      summary: 'Create Token instance',
      body: ProviderTokenInstanceRequestDto,
      answer: ProviderTokenInstanceDto,
    },
    getTokenInstance: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}',
      summary: 'Get Token instance',
      params: tokenParam,
      answer: ProviderTokenInstanceDto,
    },
    updateTokenInstance: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}',
      summary: 'Update Token instance',
      params: tokenParam,
      body: ProviderTokenInstanceRequestDto,
      answer: ProviderTokenInstanceDto,
      repeated: 'same',
    },
    removeTokenInstance: {
      route: 'DELETE /v1/cryptographyProvider/tokens/{uuid}',
      summary: 'Remove Token instance',
      params: tokenParam,
    },
    getTokenInstanceStatus: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/status',
      summary: 'Get Token instance status',
      params: tokenParam,
      answer: TokenInstanceStatusDto,
      pace: 'quick',
    },
    activateTokenInstance: {
      route: 'PATCH /v1/cryptographyProvider/tokens/{uuid}/activate',
      summary: 'Activate Token',
      params: tokenParam,
      body: values,
      repeated: 'same',
    },
    listTokenInstanceActivationAttributes: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/activate/attributes',
      summary: 'List Token activation Attributes',
      params: tokenParam,
      answer: definitions,
    },
    validateTokenInstanceActivationAttributes: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/activate/attributes/validate',
      summary: 'Validate Token activation Attributes',
      params: tokenParam,
      body: values,
    },
    deactivateTokenInstance: {
      route: 'PATCH /v1/cryptographyProvider/tokens/{uuid}/deactivate',
      summary: 'Deactivate Token',
      params: tokenParam,
      repeated: 'same',
    },
    listTokenProfileAttributes: {
      route: 'GET /v1/cryptographyProvider/tokens/{uuid}/tokenProfile/attributes',
      summary: 'List Token Profile Attributes',
      params: tokenParam,
      answer: definitions,
    },
    validateTokenProfileAttributes: {
      route: 'POST /v1/cryptographyProvider/tokens/{uuid}/tokenProfile/attributes/validate',
      summary: 'Validate Token Profile Attributes',
      params: tokenParam,
      body: values,
    },
    /**
     * Attributes that depend on an option selected in the token form. The callback is specific to one product, but
     * platforms require its endpoint from every cryptography provider.
     */
    getCreateTokenAttributes: {
      route: 'GET /v1/cryptographyProvider/callbacks/token/{option}/attributes',
      summary: 'List Attributes of an option to create a Token',
      params: z.object({ option: z.string() }),
      answer: definitions,
    },
  },
);
