// Connections to a server on loopback, over which any octets can be sent, in any pieces.
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** All data received so far, once it contains the pattern. Rejects if the other side closes before. */
  until(pattern: RegExp): Promise<string>;
  /** All data received, once the other side has closed. */
  closed(): Promise<string>;
}

export async function openConnection(port: number, start = ''): Promise<RawConnection> {
  let text = '';
  let isClosed = false;
  const socket = connect({ host: '127.0.0.1', port });
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset after the answer is one of the ways to close.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.write(start);
  return {
    socket,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text)) resolve(text);
          else if (isClosed) reject(new Error(`closed after: ${text.slice(0, 500)}`));
        };
        socket.on('data', look).on('close', look);
        look();
      }),
    closed: () =>
      new Promise((resolve) => {
        if (isClosed) resolve(text);
        else socket.once('close', () => resolve(text));
      }),
  };
}

/** Statuses of the answers within what came. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
