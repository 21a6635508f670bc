// Definition of the connector.
import { defineConnector, healthOf, type Connector } from '@signetry/connector-sdk';
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { KINDS, NAME, secretsPurpose } from './declaration.ts';
import { entityHandlers } from './entities/entity-handlers.ts';
import { locationHandlers } from './locations/location-handlers.ts';
import { migrations } from './migrations.ts';
import { createParts } from './parts.ts';

export const fileEntities: Connector = defineConnector({
  name: NAME,
  functions: { entityProvider: { kinds: [...KINDS], features: [IDEMPOTENCY_FEATURE] } },
  migrations,
  sealedValues: [{ table: 'entity', key: 'uuid', column: 'sealed_secrets', purpose: secretsPurpose }],
  create(context) {
    const parts = createParts(context);
    const database = () =>
      context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not respond.')));
    return {
      functions: { entityProvider: { ...entityHandlers(parts), ...locationHandlers(parts) } },
      health: () => healthOf({ database }),
    };
  },
});
