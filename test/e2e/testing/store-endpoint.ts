// TLS servers that serve the contents of shelves.
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { onFileFinished } from '@signetry/testkit/file-end';
import type { StoreProvider } from './store-provider.ts';

/** Serves what a shelf contained at the last reload. */
export class Endpoint {
  private readonly server: Server = createServer();
  private readonly shelves: StoreProvider;
  private readonly shelf: string;

  constructor(shelves: StoreProvider, shelf: string) {
    this.shelves = shelves;
    this.shelf = shelf;
    this.server.on('tlsClientError', () => undefined);
    onFileFinished(() => this.close());
  }

  /** Starts listening and returns the port. */
  async listen(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.listen(0, '127.0.0.1', resolve);
    await promise;
    return (this.server.address() as AddressInfo).port;
  }

  reload(): void {
    const [entry] = this.shelves.on(this.shelf);
    const certificate = new X509Certificate(Buffer.from(entry?.certificate ?? '', 'base64'));
    const key = this.shelves.keyFor(certificate.publicKey.export({ type: 'spki', format: 'der' }));
    this.server.setSecureContext({ cert: certificate.toString(), key });
  }

  close(): void {
    this.server.close();
  }
}
