// How the platform calls connectors: the keys that sign its tokens, and whether calls to a connector are suspended. Not
// part of the published interface.
import { z } from 'zod';
import { dateTime, int32 } from '../primitives.ts';
import { objectErrors, operations } from '../operations.ts';

/** A public key on the P-256 curve (RFC 7517). */
export const ConnectorTokenKey = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    alg: z.literal('ES256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'ConnectorTokenKey' });
export type ConnectorTokenKey = z.output<typeof ConnectorTokenKey>;

/** A JWK set (RFC 7517 §5): the current signing key, and previous keys whose tokens may still be in transit. */
export const ConnectorTokenKeys = z.object({ keys: z.array(ConnectorTokenKey) }).meta({ id: 'ConnectorTokenKeys' });
export type ConnectorTokenKeys = z.output<typeof ConnectorTokenKeys>;

/**
 * `open`: calls are rejected without being sent. `halfOpen`: the result of the next call determines whether the circuit
 * closes.
 */
export const CircuitState = z.enum(['closed', 'open', 'halfOpen']);
export type CircuitState = z.output<typeof CircuitState>;

export const ConnectorCircuit = z
  .object({
    /** Node that returned the response; each node tracks only its own calls. */
    node: z.string(),
    state: CircuitState,
    /** Number of consecutive failed calls. */
    failures: int32(),
    /** Time at which the circuit opened; absent while it is closed. */
    openedAt: dateTime().optional(),
    /** Time of the next attempt; absent while the circuit is closed. */
    retryAt: dateTime().optional(),
  })
  .meta({ id: 'ConnectorCircuit' });
export type ConnectorCircuit = z.output<typeof ConnectorCircuit>;

export const connectorCallOperations = operations(
  { tag: 'Connector Calls', resource: 'connectors', module: 'core', errors: objectErrors },
  {
    getConnectorTokenKeys: {
      route: 'GET /x/v1/connectorTokenKeys',
      summary: 'Get the public keys for connector tokens as a JWK set',
      answer: ConnectorTokenKeys,
      errors: [400, 500],
      access: 'public',
    },
    rotateConnectorTokenKey: {
      route: 'POST /x/v1/connectorTokenKeys/rotations',
      summary: 'Rotate the key that signs connector tokens',
      answer: ConnectorTokenKeys,
      errors: [400, 401, 403, 500],
      access: { resource: 'settings', action: 'update' },
      audit: { module: 'core', resource: 'settings', operation: 'update' },
    },
    getConnectorCircuit: {
      route: 'GET /x/v1/connectors/{uuid}/circuit',
      summary: 'Get whether calls to a connector are sent or temporarily rejected',
      answer: ConnectorCircuit,
      access: { action: 'detail', object: 'uuid' },
    },
  },
);
