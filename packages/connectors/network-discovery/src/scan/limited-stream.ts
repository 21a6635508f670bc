// Connection as read by TLS: limits the number of bytes, and copies received data until the chain is extracted. TLS on
// a plain socket would read natively and bypass the limits.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { HandshakeGuard } from './handshake-guard.ts';
import { ScanFailure } from './outcome.ts';
import { inTurn } from './turns.ts';

export class LimitedStream extends Duplex {
  private readonly socket: Socket;
  private readonly maxOctets: number;
  private readonly received: Uint8Array[] = [];
  private octets = 0;
  private readonly guard = new HandshakeGuard();

  constructor(socket: Socket, maxOctets: number) {
    super({ allowHalfOpen: false });
    this.socket = socket;
    this.maxOctets = maxOctets;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => inTurn(() => this.push(null)));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => inTurn(() => this.destroy()));
  }

  /** All data received so far. */
  get transcript(): Uint8Array {
    return Buffer.concat(this.received);
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(chunk: Buffer): void {
    this.octets += chunk.length;
    if (this.octets > this.maxOctets || !this.guard.take(chunk)) {
      this.destroy(new ScanFailure('tooMuch'));
      return;
    }
    this.received.push(chunk);
    inTurn(() => {
      if (!this.destroyed && !this.push(chunk)) this.socket.pause();
    });
  }
}
