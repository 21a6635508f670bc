// Built-in discovery provider for networks: function group discoveryProvider, kind IP-Hostname. Connects to the
// requested targets that its host allows and stores the certificates in its own schema; it does not depend on the
// platform that calls it. Owns: discovery, found_certificate.
import type { Connector } from '@signetry/connector-sdk';
import { defineDiscovery } from '@signetry/connector-sdk/discovery';
import { KIND, NAME } from './declaration.ts';
import { scanNetworks } from './jobs/scan-networks.ts';
import { migrations } from './migrations.ts';

export { SCAN } from './attributes/scan-attributes.ts';
export { CERTIFICATE_METADATA, DISCOVERY_METADATA } from './present-discovery.ts';

export const networkDiscovery: Connector = defineDiscovery({
  name: NAME,
  kind: KIND,
  migrations,
  create: scanNetworks,
});
