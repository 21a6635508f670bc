// What every connector serves, whatever its function groups: its capabilities, its health, the attributes of a kind.
import { z } from 'zod';
import { FunctionGroupCode } from '../enums/connectors.ts';
import { operation } from '../operation.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { EndpointDto, HealthDto } from '../shared/function-groups.ts';

/** Header under which the platform repeats a request: the result of the first one is asked for again. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Feature of a connector that answers a repeated request with the result of the first, across restarts. */
export const IDEMPOTENCY_FEATURE = 'idempotency';

/** A function group of a connector, with the kinds it offers there. */
export const InfoResponse = z
  .object({
    functionGroupCode: FunctionGroupCode,
    kinds: z.array(z.string()),
    endPoints: z.array(EndpointDto),
    /** Abilities beyond the published interface, e.g. IDEMPOTENCY_FEATURE. Other platforms ignore them. */
    features: z.array(z.string()).optional(),
  })
  .meta({ id: 'InfoResponse' });
export type InfoResponse = z.output<typeof InfoResponse>;

const tags = { info: 'Connector Info', health: 'Health check', attributes: 'Connector Attributes' };
const kindParams = z.object({ functionalGroup: FunctionGroupCode, kind: z.string() });

export const connectorBaseOperations = {
  listSupportedFunctions: operation({
    id: 'listSupportedFunctions',
    summary: 'List supported functions of the connector',
    tag: tags.info,
    method: 'GET',
    path: '/v1',
    success: { status: 200, body: z.array(InfoResponse) },
    errors: [400, 401, 403, 404, 500],
  }),
  checkHealth: operation({
    id: 'checkHealth',
    summary: 'Health check',
    tag: tags.health,
    method: 'GET',
    path: '/v1/health',
    success: { status: 200, body: HealthDto },
    errors: [400, 401, 403, 404, 500],
  }),
  listAttributeDefinitions: operation({
    id: 'listAttributeDefinitions',
    summary: 'List available Attributes',
    tag: tags.attributes,
    method: 'GET',
    path: '/v1/{functionalGroup}/{kind}/attributes',
    params: kindParams,
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [400, 401, 403, 404, 500],
  }),
  validateAttributes: operation({
    id: 'validateAttributes',
    summary: 'Validate Attributes',
    tag: tags.attributes,
    method: 'POST',
    path: '/v1/{functionalGroup}/{kind}/attributes/validate',
    params: kindParams,
    body: z.array(RequestAttributeDto),
    success: { status: 200 },
    errors: [400, 401, 403, 404, 422, 500],
  }),
};
