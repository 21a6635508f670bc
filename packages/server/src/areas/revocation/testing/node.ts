// For tests: a platform node that serves revocation information on a loopback port.
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../../../platform/http/server.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createParts } from '../parts.ts';
import type { RevocationPorts } from '../ports.ts';
import { registerDownloads } from '../routes.ts';

export interface TestNode {
  readonly parts: ReturnType<typeof createParts>;
  readonly server: FastifyInstance;
  /** `http://127.0.0.1:…` */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a node with its own caches. Multiple nodes can share one database. */
export async function startTestNode(platform: Platform, ports: RevocationPorts): Promise<TestNode> {
  const parts = createParts(platform, ports);
  const server = createHttpServer({
    isServedHost: () => true,
    trustedProxies: [],
    onFault: (error) => {
      throw error;
    },
  });
  registerDownloads(server, parts);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo; // A TCP listener's address has this form.
  return {
    parts,
    server,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await parts.jobs.stop();
      await server.close();
    },
  };
}
