// The built-in cryptography provider: function group cryptographyProvider, kind SOFT. Its keys are encrypted in the
// schema it is given (tables in migrations.ts); it knows nothing of the platform that calls it.
// Owns: token, token_key, token_user.
import { defineConnector, healthOf, type Connector } from '@signetry/connector-sdk';
import { dataKeyPurpose, KIND, NAME, unattendedDataKeyPurpose } from './declaration.ts';
import { keyHandlers } from './key-handlers.ts';
import { migrations } from './migrations.ts';
import { operationHandlers } from './operation-handlers.ts';
import { createParts } from './parts.ts';
import { tokenHandlers } from './token-handlers.ts';

export { KEY } from './attributes/key-attributes.ts';
export { TOKEN } from './attributes/token-attributes.ts';

export const softwareTokens: Connector = defineConnector({
  name: NAME,
  functions: { cryptographyProvider: { kinds: [KIND], features: ['idempotency'] } },
  migrations,
  sealedValues: [
    { table: 'token', key: 'uuid', column: 'sealed_data_key', purpose: dataKeyPurpose },
    { table: 'token', key: 'uuid', column: 'unattended_data_key', purpose: unattendedDataKeyPurpose },
  ],
  create(context) {
    const parts = createParts(context);
    const database = () =>
      context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not answer.')));
    return {
      functions: {
        cryptographyProvider: { ...tokenHandlers(parts), ...keyHandlers(parts), ...operationHandlers(parts) },
      },
      health: () => healthOf({ database }),
      stop: () => parts.active.removeAll(),
    };
  },
});
