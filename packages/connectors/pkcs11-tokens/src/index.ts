// Provides tokens in HSMs, smart cards and SoftHSM as a connector: function group cryptographyProvider, kind PKCS11.
// Keys are generated in the token and never leave it. Owns: token, key.
import { defineConnector } from '@signetry/connector-sdk';
import { connectorHealth } from './health.ts';
import { keyHandlers } from './key-handlers.ts';
import { migrations } from './migrations.ts';
import { createParts } from './parts.ts';
import { tokenHandlers } from './token-handlers.ts';
import { pinPurpose } from './tokens/token-access.ts';

export { KEY } from './keys/key-form.ts';
export { ACTIVATION, TOKEN } from './tokens/token-form.ts';

export const pkcs11Tokens = defineConnector({
  name: 'pkcs11-tokens',
  functions: { cryptographyProvider: { kinds: ['PKCS11'] } },
  migrations,
  sealedValues: [{ table: 'token', key: 'uuid', column: 'sealed_pin', purpose: pinPurpose }],
  create(context) {
    const parts = createParts(context);
    return {
      functions: { cryptographyProvider: { ...tokenHandlers(parts, context), ...keyHandlers(parts) } },
      health: () => connectorHealth(parts.tokens, parts.libraries),
      stop: () => parts.libraries.stop(),
    };
  },
});
