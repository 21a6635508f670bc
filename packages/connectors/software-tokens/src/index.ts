// The built-in cryptography provider: function group cryptographyProvider, kind SOFT. Its keys are encrypted in the
// schema assigned to it (tables in migrations.ts); it is independent of the platform that calls it. Owns: token,
// token_key, token_user.
import type { Connector } from '@signetry/connector-sdk';
import { createConnector } from './connector.ts';
import { CODE_COST } from './tokens/activation-code.ts';

export { KEY } from './attributes/key-attributes.ts';
export { TOKEN } from './attributes/token-attributes.ts';

export const softwareTokens: Connector = createConnector(CODE_COST);
