// The built-in discovery provider for networks: function group discoveryProvider, kind IP-Hostname. It connects to what
// it is told to, as far as its host lets it, and keeps what was served in the schema it is given; it knows nothing of
// the platform that calls it.
// Owns: discovery, found_certificate.
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
