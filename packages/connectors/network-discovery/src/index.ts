// The built-in discovery provider for networks: function group discoveryProvider, kind IP-Hostname. It connects to what
// it is told to, as far as its host lets it, and keeps what was served in the schema it is given; it knows nothing of
// the platform that calls it.
// Owns: discovery, found_certificate.
import { defineConnector, healthOf, type Connector } from '@signetry/connector-sdk';
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { KIND, NAME } from './declaration.ts';
import { handlers } from './handlers.ts';
import { migrations } from './migrations.ts';
import { createParts } from './parts.ts';

export { SCAN } from './attributes/scan-attributes.ts';
export { CERTIFICATE_METADATA, DISCOVERY_METADATA } from './present-discovery.ts';

export const networkDiscovery: Connector = defineConnector({
  name: NAME,
  functions: { discoveryProvider: { kinds: [KIND], features: [IDEMPOTENCY_FEATURE] } },
  migrations,
  create(context) {
    const parts = createParts(context);
    const database = () =>
      context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not answer.')));
    return {
      functions: { discoveryProvider: handlers(parts) },
      health: () => healthOf({ database }),
      stop: () => parts.runs.stop(),
    };
  },
});
