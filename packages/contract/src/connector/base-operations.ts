// Operations that every connector implements, regardless of its function groups: capabilities, health, and the
// attributes for a kind.
import { z } from 'zod';
import { FunctionGroupCode } from '../enums/connectors.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { EndpointDto, HealthDto } from '../shared/function-groups.ts';

/** Request header. Repeating a request with the same key returns the first request's result. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Feature of connectors that return the first request's result if the request is repeated, even after a restart. */
export const IDEMPOTENCY_FEATURE = 'idempotency';
/**
 * Feature of cryptography providers that never need the secrets in their token forms again, such as activation codes. A
 * platform that stored them could open the tokens on its own.
 */
export const TRANSIENT_SECRETS_FEATURE = 'transientSecrets';

/** A connector's function group, with the kinds that it offers. */
export const InfoResponse = z
  .object({
    functionGroupCode: FunctionGroupCode,
    kinds: z.array(z.string()),
    endPoints: z.array(EndpointDto),
  })
  .meta({ id: 'InfoResponse' });
export type InfoResponse = z.output<typeof InfoResponse>;

const tags = { info: 'Connector Info', health: 'Health check', attributes: 'Connector Attributes' };
const kindParams = z.object({ functionalGroup: FunctionGroupCode, kind: z.string() });

export const connectorBaseOperations = operations(
  { tag: tags.attributes, errors: objectErrors },
  {
    listSupportedFunctions: {
      route: 'GET /v1',
      summary: 'List supported functions of the connector',
      tag: tags.info,
      answer: z.array(InfoResponse),
      pace: 'quick',
    },
    checkHealth: {
      route: 'GET /v1/health',
      summary: 'Health check',
      tag: tags.health,
      answer: HealthDto,
      pace: 'quick',
    },
    listAttributeDefinitions: {
      route: 'GET /v1/{functionalGroup}/{kind}/attributes',
      summary: 'List available Attributes',
      params: kindParams,
      answer: z.array(BaseAttributeDto),
    },
    validateAttributes: {
      route: 'POST /v1/{functionalGroup}/{kind}/attributes/validate',
      summary: 'Validate Attributes',
      params: kindParams,
      body: z.array(RequestAttributeDto),
      success: { status: 200 },
      errors: ruleErrors,
    },
  },
);
