// Parses one HTTP/1.1 response as it arrives (RFC 9112), as far as validation needs it: status, redirect target, and
// the first KiB of a 200 response's body. Strict about framing, bounded everywhere, and throws only
// `MalformedResponse`. Pure. It is a single class because it is a state machine over lines.

export interface HttpResponse {
  readonly status: number;
  readonly location: string | undefined;
  /** Bytes as Latin-1 characters; empty unless the status is 200, since other bodies are not needed. */
  readonly body: string;
  /** Whether the body is longer than the part that was read. */
  readonly isTruncated: boolean;
}

export class MalformedResponse extends Error {}

/**
 * Maximum total size of all lines in bytes: status line, fields (including those of interim responses), and chunk
 * sizes.
 */
const MAX_LINE_OCTETS = 16 * 1024;
/** A key authorization is about 90 characters long; the rest allows for white space that servers append. */
const MAX_BODY_OCTETS = 1024;
const MAX_CHUNK_DIGITS = 8;

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: .*)?$/;
const PROTOCOL = 'HTTP/1.';
const FIELD_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

type State = 'status' | 'fields' | 'length' | 'chunkSize' | 'chunk' | 'chunkEnd' | 'untilClose' | 'done';

export class HttpResponseReader {
  private state: State = 'status';
  private line = '';
  private lineOctets = 0;
  private status = 0;
  private readonly fields = new Map<string, string>();
  private body = '';
  private isTruncated = false;
  /** Remaining bytes of the body, or of its current chunk. */
  private remaining = 0;

  /** Processes received bytes; returns the response once its relevant parts are complete. */
  push(bytes: Buffer): HttpResponse | undefined {
    for (let at = 0; at < bytes.length && this.state !== 'done';) {
      at = this.readsLines() ? this.pushLinePart(bytes, at) : this.pushBody(bytes, at);
    }
    return this.response();
  }

  /** Handles the end of the connection: it ends a body without a length, and is premature in every other state. */
  end(): HttpResponse | undefined {
    if (this.state === 'untilClose') this.state = 'done';
    return this.response();
  }

  private response(): HttpResponse | undefined {
    if (this.state !== 'done') return undefined;
    const { status, body, isTruncated } = this;
    return { status, location: this.fields.get('location'), body, isTruncated };
  }

  private readsLines(): boolean {
    return this.state !== 'length' && this.state !== 'chunk' && this.state !== 'untilClose';
  }

  /**
   * Processes part of a line. Lines end in LF: responders built from a shell and netcat send no CR (RFC 9112 §2.2 lets
   * a recipient accept both).
   */
  private pushLinePart(bytes: Buffer, at: number): number {
    const lineFeed = bytes.indexOf(0x0a, at);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    this.lineOctets += end - at + 1;
    if (this.lineOctets > MAX_LINE_OCTETS) throw new MalformedResponse('too long');
    this.line += bytes.toString('latin1', at, end);
    // Other protocols on the port are detected by their first bytes, since they may never send a complete line.
    if (this.state === 'status' && !this.line.startsWith(PROTOCOL.slice(0, this.line.length)))
      throw new MalformedResponse('not HTTP/1');
    if (lineFeed === -1) return end;
    const line = this.line.endsWith('\r') ? this.line.slice(0, -1) : this.line;
    this.line = '';
    this.readLine(line);
    return end + 1;
  }

  private readLine(line: string): void {
    switch (this.state) {
      case 'status':
        return this.readStatusLine(line);
      case 'fields':
        return line === '' ? this.endOfFields() : this.readFieldLine(line);
      case 'chunkSize':
        return this.readChunkSize(line);
      default: // The line end after a chunk.
        if (line !== '') throw new MalformedResponse('unterminated chunk');
        this.state = 'chunkSize';
    }
  }

  private readStatusLine(line: string): void {
    const status = STATUS_LINE.exec(line)?.[1];
    if (status === undefined) throw new MalformedResponse('status line');
    this.status = Number(status);
    this.state = 'fields';
  }

  private readFieldLine(line: string): void {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // Also rejects folded lines (RFC 9112 §5.2), which begin with a space.
    if (!FIELD_NAME.test(name)) throw new MalformedResponse('field line');
    if (name !== 'content-length' && name !== 'transfer-encoding' && name !== 'location') return;
    if (this.fields.has(name)) throw new MalformedResponse('repeated field');
    this.fields.set(name, line.slice(colon + 1).trim());
  }

  /** Determines how the body ends (RFC 9112 §6.3). */
  private endOfFields(): void {
    if (this.status < 200) return this.endOfInterimResponse();
    const encoding = this.fields.get('transfer-encoding');
    const length = this.fields.get('content-length');
    if (encoding !== undefined && (length !== undefined || encoding.toLowerCase() !== 'chunked'))
      throw new MalformedResponse('framing');
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new MalformedResponse('content length');
    this.remaining = Number(length ?? 0);
    if (this.status !== 200 || (encoding === undefined && length !== undefined && this.remaining === 0))
      this.state = 'done';
    else if (encoding !== undefined) this.state = 'chunkSize';
    else this.state = length === undefined ? 'untilClose' : 'length';
  }

  /**
   * Handles a 1xx response, which precedes the final response (RFC 9110 §15.2). A protocol switch is rejected, because
   * none was requested.
   */
  private endOfInterimResponse(): void {
    if (this.status === 101) throw new MalformedResponse('unexpected protocol switch');
    this.fields.clear();
    this.state = 'status';
  }

  private readChunkSize(line: string): void {
    const digits = /^([0-9a-fA-F]+)[ \t]*(?:;.*)?$/.exec(line)?.[1];
    if (digits === undefined || digits.length > MAX_CHUNK_DIGITS) throw new MalformedResponse('chunk size');
    this.remaining = Number.parseInt(digits, 16);
    // Trailers after the last chunk are ignored.
    this.state = this.remaining === 0 ? 'done' : 'chunk';
  }

  private pushBody(bytes: Buffer, at: number): number {
    const available = bytes.length - at;
    const taken = this.state === 'untilClose' ? available : Math.min(available, this.remaining);
    const kept = Math.min(taken, MAX_BODY_OCTETS - this.body.length);
    this.body += bytes.toString('latin1', at, at + kept);
    this.remaining -= taken;
    if (kept < taken) {
      this.isTruncated = true;
      this.state = 'done';
    } else if (this.remaining === 0 && this.state !== 'untilClose') {
      this.state = this.state === 'chunk' ? 'chunkEnd' : 'done';
    }
    return at + taken;
  }
}
