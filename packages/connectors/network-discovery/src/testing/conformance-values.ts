// Values for the conformance check that the definitions do not determine: servers on loopback that serve certificates,
// and permission to scan them.
import type { ConnectorContext } from '@signetry/connector-sdk';
import { SCAN } from '../index.ts';
import { KIND } from '../declaration.ts';
import { credentialsFor, tlsServer, type Listening } from './tls-servers.ts';

export const conformanceContext: Partial<ConnectorContext> = { egress: { assertAddress: () => undefined } };

let servers: readonly Listening[] = [];

export async function conformanceEnd(): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}

export async function conformanceValues() {
  servers = await Promise.all(
    ['one.example', 'two.example', 'three.example'].map(async (name) => {
      const { certificate, key } = await credentialsFor(name);
      return tlsServer({ cert: certificate, key });
    }),
  );
  return {
    [KIND]: {
      [SCAN.hosts]: '127.0.0.1',
      [SCAN.ports]: servers.map(({ port }) => port).join(),
      [SCAN.allPorts]: false,
      [SCAN.serverNames]: 'one.example',
    },
  };
}
