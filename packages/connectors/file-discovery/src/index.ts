// The built-in discovery provider for files on the machine that it runs on: function group discoveryProvider, kind
// Files. It reads only below directories that its host specifies, and stores nothing about private keys except their
// presence.
import type { Connector } from '@signetry/connector-sdk';
import { defineDiscovery, discoveryMigrations } from '@signetry/connector-sdk/discovery';
import { KIND, NAME } from './declaration.ts';
import { searchFiles } from './jobs/search-files.ts';

export { FILES } from './attributes/file-attributes.ts';
export { CERTIFICATE_METADATA, DISCOVERY_METADATA } from './present-discovery.ts';

export const fileDiscovery: Connector = defineDiscovery({
  name: NAME,
  kind: KIND,
  migrations: discoveryMigrations,
  create: searchFiles,
});
