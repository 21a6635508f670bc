// Creates the connector. The parameter is the cost of guessing an activation code.
import { defineConnector, healthOf, type Connector } from '@signetry/connector-sdk';
import { IDEMPOTENCY_FEATURE, TRANSIENT_SECRETS_FEATURE } from '@signetry/contract';
import { dataKeyPurpose, KIND, NAME, unattendedDataKeyPurpose } from './declaration.ts';
import { keyHandlers } from './key-handlers.ts';
import { migrations } from './migrations.ts';
import { operationHandlers } from './operation-handlers.ts';
import { createParts } from './parts.ts';
import { exportPrivateKey } from './keys/export-key.ts';
import { tokenHandlers } from './token-handlers.ts';
import type { CodeCost } from './tokens/activation-code.ts';

export const createConnector = (codeCost: CodeCost): Connector =>
  defineConnector({
    name: NAME,
    functions: { cryptographyProvider: { kinds: [KIND], features: [IDEMPOTENCY_FEATURE, TRANSIENT_SECRETS_FEATURE] } },
    migrations,
    sealedValues: [
      { table: 'token', key: 'uuid', column: 'sealed_data_key', purpose: dataKeyPurpose },
      { table: 'token', key: 'uuid', column: 'sealed_unattended_key', purpose: unattendedDataKeyPurpose },
    ],
    create(context) {
      const parts = createParts(context, codeCost);
      const database = () =>
        context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not respond.')));
      return {
        functions: {
          cryptographyProvider: { ...tokenHandlers(parts), ...keyHandlers(parts), ...operationHandlers(parts) },
        },
        exportPrivateKey: (reference) => exportPrivateKey(parts, reference),
        health: () => healthOf({ database }),
        stop: () => parts.active.removeAll(),
      };
    },
  });
