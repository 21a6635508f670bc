// Connections to a loopback server, over which any bytes can be sent in any chunks.
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** Returns all data received so far, once it matches the pattern. Rejects if the other side closes first. */
  until(pattern: RegExp): Promise<string>;
  /** Returns all data received, once the other side has closed. */
  closed(): Promise<string>;
}

export async function openConnection(port: number, start = ''): Promise<RawConnection> {
  let text = '';
  let isClosed = false;
  const socket = connect({ host: '127.0.0.1', port });
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  // The server can also close by resetting the connection after the response.
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
        const checkPattern = (): void => {
          if (pattern.test(text)) resolve(text);
          else if (isClosed) reject(new Error(`closed after: ${text.slice(0, 500)}`));
        };
        socket.on('data', checkPattern).on('close', checkPattern);
        checkPattern();
      }),
    closed: () =>
      new Promise((resolve) => {
        if (isClosed) resolve(text);
        else socket.once('close', () => resolve(text));
      }),
  };
}

/** Returns the statuses of the responses in the text. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
