// How the platform calls connectors: the keys that sign its tokens, and whether it leaves a connector alone for a
// while. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int32 } from '../primitives.ts';
import { objectErrors, operations } from '../operations.ts';

/** A public key (RFC 7517) of the P-256 curve. */
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

/** A JWK set (RFC 7517 §5): the key that signs now, and those whose tokens may still be on their way. */
export const ConnectorTokenKeys = z.object({ keys: z.array(ConnectorTokenKey) }).meta({ id: 'ConnectorTokenKeys' });
export type ConnectorTokenKeys = z.output<typeof ConnectorTokenKeys>;

/** `open`: calls are refused without being made. `halfOpen`: the next call is tried, and decides. */
export const CircuitState = z.enum(['closed', 'open', 'halfOpen']);
export type CircuitState = z.output<typeof CircuitState>;

export const ConnectorCircuit = z
  .object({
    /** The node that answered; each node judges by its own calls. */
    node: z.string(),
    state: CircuitState,
    /** Failed calls in a row. */
    failures: int32(),
    /** When it was opened; absent while it is closed. */
    openedAt: dateTime().optional(),
    /** When the next call is tried; absent while it is closed. */
    retryAt: dateTime().optional(),
  })
  .meta({ id: 'ConnectorCircuit' });
export type ConnectorCircuit = z.output<typeof ConnectorCircuit>;

export const connectorCallOperations = operations(
  { tag: 'Connector Calls', resource: 'connectors', module: 'core', errors: objectErrors },
  {
    getConnectorTokenKeys: {
      route: 'GET /x/v1/connectorTokenKeys',
      summary: 'Get the public keys that sign tokens for connectors, as a JWK set',
      answer: ConnectorTokenKeys,
      errors: [400, 500],
      access: 'public',
    },
    rotateConnectorTokenKey: {
      route: 'POST /x/v1/connectorTokenKeys/rotations',
      summary: 'Sign tokens for connectors with a new key',
      answer: ConnectorTokenKeys,
      errors: [400, 401, 403, 500],
      access: { resource: 'settings', action: 'update' },
      audit: { module: 'core', resource: 'settings', operation: 'update' },
    },
    getConnectorCircuit: {
      route: 'GET /x/v1/connectors/{uuid}/circuit',
      summary: 'Get whether calls to a connector are made or refused for a while',
      answer: ConnectorCircuit,
      access: { action: 'detail', object: 'uuid' },
    },
  },
);
