// Attribute callbacks: through the platform, a form asks a connector for choices or further fields that depend on the
// values entered so far.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { RequestAttributeCallback } from '../shared/attributes.ts';
import { Resource } from './resource.ts';
import { sightOfCredentials } from './referenced-objects.ts';

export const callbackOperations = operations(
  { tag: 'Callback', resource: 'connectors', module: 'core', errors: connectorRuleErrors },
  {
    /** For attributes that a connector kind defines, e.g. those of a new authority. */
    connectorCallback: {
      route: 'POST /v1/connectors/{uuid}/{functionGroup}/{kind}/callback',
      id: 'callback',
      summary: 'Connector Callback API',
      params: z.object({ uuid: uuid(), functionGroup: z.string(), kind: z.string() }),
      body: RequestAttributeCallback,
      answer: z.unknown(),
      access: { action: 'ANY', object: 'uuid' },
      also: [sightOfCredentials],
    },
    /** For attributes that a parent object defines, such as those of an RA profile, whose parent is an authority. */
    resourceCallback: {
      route: 'POST /v1/{resource}/{parentObjectUuid}/callback',
      summary: 'Resource Callback API',
      params: z.object({ resource: Resource, parentObjectUuid: uuid() }),
      body: RequestAttributeCallback,
      answer: z.unknown(),
      access: 'authenticated',
      also: [
        {
          resource: 'authorities',
          action: 'ANY',
          where: 'attributes of RA profiles are requested, on their authority',
        },
        sightOfCredentials,
      ],
    },
  },
);
