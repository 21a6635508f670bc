// Environment of the load's clients: names in a real DNS server, and a web server that answers challenges immediately,
// late, incorrectly or not at all.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDnsServer } from '../../../packages/testkit/src/acme/dns-server.ts';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';
const HOSTS = 24;

export interface Targets {
  /** Arguments that make the platform use these targets. */
  readonly args: readonly string[];
  host(index: number): string;
  serve(token: string, answer: { readonly content: string; readonly afterMs: number }): void;
  close(): Promise<void>;
}

export async function startTargets(): Promise<Targets> {
  const host = (index: number): string => `h${index % HOSTS}.faults.test`;
  const dns = await startDnsServer(
    Object.fromEntries(
      Array.from({ length: HOSTS }, (_, index) => [host(index), [{ type: 'A', address: '127.0.0.1' } as const]]),
    ),
  );
  const answers = new Map<string, { readonly content: string; readonly afterMs: number }>();
  const web = createServer((request, response) => {
    const answer = answers.get((request.url ?? '').slice(CHALLENGE_PATH.length));
    setTimeout(() => {
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/octet-stream' });
      response.end(answer?.content);
    }, answer?.afterMs ?? 0);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo; // Listens on TCP.
  return {
    args: [`--acme-http01-port=${port}`, `--acme-dns=${dns.address}:${dns.port}`],
    host,
    serve: (token, answer) => void answers.set(token, answer),
    async close() {
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
      await dns.close();
    },
  };
}
