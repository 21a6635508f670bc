// Proxy that breaks all connections to a server on request. It forwards data slowly, so that a test that watches the
// server's files can react in time.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const DELAY_MS = 4;

export interface CuttingProxy {
  readonly port: number;
  /** Breaks all open connections; new ones work. */
  cut(): void;
  /** Breaks all open connections and accepts no new ones. */
  close(): void;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(from);
      from.on('data', (bytes) => void setTimeout(() => to.writable && to.write(bytes), DELAY_MS));
      from.on('error', () => undefined); // An error also closes the socket.
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    cut,
    close: () => {
      listener.close();
      cut();
    },
  };
}
