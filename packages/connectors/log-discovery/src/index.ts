// The built-in discovery provider for certificate transparency logs: function group discoveryProvider, kind CT-Static.
// It trusts only entries that are proven by the log's tree head, and stores those with the requested names. Owns:
// logged_certificate, log_position.
import type { Connector } from '@signetry/connector-sdk';
import { defineDiscovery } from '@signetry/connector-sdk/discovery';
import { KIND, NAME } from './declaration.ts';
import { readLogs } from './jobs/read-logs.ts';
import { migrations } from './migrations.ts';

export { LOG } from './attributes/log-attributes.ts';
export { CERTIFICATE_METADATA, DISCOVERY_METADATA } from './present-discovery.ts';

export const logDiscovery: Connector = defineDiscovery({ name: NAME, kind: KIND, migrations, create: readLogs });
