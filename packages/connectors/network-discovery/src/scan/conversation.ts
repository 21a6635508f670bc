// Exchange of lines and bytes before TLS starts. Reads are limited: only requested data is retained.
import type { Socket } from 'node:net';
import { failureOf, ScanFailure } from './outcome.ts';

/** Greetings, including all their lines, are shorter than this. */
const MAX_OCTETS = 16_384;

export class Conversation {
  private readonly socket: Socket;
  private buffered = Buffer.alloc(0);
  private total = 0;
  private failure: ScanFailure | undefined;
  private wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', this.onData);
    socket.on('error', this.onEnd);
    socket.on('close', this.onEnd);
    socket.on('end', this.onEnd);
  }

  send(data: string | Uint8Array): void {
    this.socket.write(data);
  }

  /** Returns a line without its line ending. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.buffered.indexOf(0x0a);
      if (end >= 0)
        return this.cut(end + 1)
          .toString('latin1')
          .trimEnd();
      await this.more();
    }
  }

  async octets(count: number): Promise<Buffer> {
    while (this.buffered.length < count) await this.more();
    return this.cut(count);
  }

  /** Returns everything up to and including a mark; for protocols that are not line-based. */
  async until(mark: RegExp): Promise<string> {
    for (;;) {
      const text = this.buffered.toString('latin1');
      const match = mark.exec(text);
      if (match) return this.cut(match.index + match[0].length).toString('latin1');
      await this.more();
    }
  }

  /**
   * Hands the socket over to TLS. Throws if the peer sent data after its reply: the data would precede the handshake
   * and an attacker could have injected it, so the peer does not implement STARTTLS correctly.
   */
  end(): void {
    const { socket } = this;
    socket.off('data', this.onData);
    socket.off('error', this.onEnd);
    socket.off('close', this.onEnd);
    socket.off('end', this.onEnd);
    socket.pause();
    if (this.buffered.length > 0) throw new ScanFailure('noStartTls');
  }

  private readonly onData = (chunk: Buffer): void => {
    this.total += chunk.length;
    if (this.total > MAX_OCTETS) {
      this.failure = new ScanFailure('tooMuch');
      this.socket.destroy();
    } else this.buffered = Buffer.concat([this.buffered, chunk]);
    this.wake();
  };

  private readonly onEnd = (error?: unknown): void => {
    this.failure ??= failureOf(error instanceof Error ? error : undefined, true);
    this.wake();
  };

  private cut(count: number): Buffer {
    const part = this.buffered.subarray(0, count);
    this.buffered = this.buffered.subarray(count);
    return part;
  }

  private async more(): Promise<void> {
    const before = this.total;
    if (this.failure) throw this.failure;
    await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failure && this.total === before) throw this.failure;
  }
}
