// Targets of the scan, in a separate process: servers with a certificate each, and one that never sends anything. Sends
// their ports to the parent process.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem } from '@signetry/pki';
import { exportPrivateKey, generateKeyPair } from '@signetry/pki/node';

export interface ServerPorts {
  readonly tls: readonly number[];
  readonly silent: number;
}

const SERVERS = 20;

const authority = await createExternalAuthority('CN=Root of the benchmark');

async function serveTls(number: number): Promise<number> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const leaf = authority.issue({ subject: `CN=${number}.example`, spki, dnsNames: [`${number}.example`] });
  const cert = [leaf, authority.der].map((der) => writePem('CERTIFICATE', der)).join('');
  const key = writePem('PRIVATE KEY', exportPrivateKey(privateKey));
  const server = createTlsServer({ cert, key }, (socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  return listen(server);
}

async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

// It reads, so that it notices when the scanner disconnects: unclosed connections would use up all local ports.
const silent = createServer((socket) => socket.on('error', () => undefined).resume());
const ports: ServerPorts = {
  tls: await Promise.all(Array.from({ length: SERVERS }, (_, number) => serveTls(number))),
  silent: await listen(silent),
};
process.send?.(ports);
