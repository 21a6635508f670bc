// Counts the records and messages in a server's handshake before OpenSSL processes them. 256 KiB of empty messages
// would block OpenSSL, and with it the process, for seconds. A byte limit alone does not prevent this.

/** A handshake needs fewer than 30 records, or fewer than 200 with the longest accepted chain. */
const MAX_RECORDS = 512;
/** Covers all TLS 1.2 messages, each of which is sent once, plus messages that OpenSSL ignores. */
const MAX_MESSAGES = 64;

const HANDSHAKE = 22;
const RECORD_HEADER = 5;
const MESSAGE_HEADER = 4;

export class HandshakeGuard {
  private readonly record = new Header(RECORD_HEADER);
  private readonly message = new Header(MESSAGE_HEADER);
  private records = 0;
  private messages = 0;
  private inRecord = 0;
  private inMessage = 0;
  /** True once all further data is encrypted, so that only records can be counted. */
  private isEncrypted = false;

  /** Returns false if the server has sent more data than any handshake contains. */
  take(chunk: Uint8Array): boolean {
    for (let place = 0; place < chunk.length;) {
      if (this.inRecord === 0) {
        place += this.record.take(chunk, place);
        if (this.record.isWhole) this.beginRecord();
        if (this.records > MAX_RECORDS) return false;
      } else {
        const part = chunk.subarray(place, place + this.inRecord);
        this.inRecord -= part.length;
        place += part.length;
        if (!this.isEncrypted) this.takeMessages(part);
        if (this.messages > MAX_MESSAGES) return false;
      }
    }
    return true;
  }

  private beginRecord(): void {
    const [type, , , high = 0, low = 0] = this.record.end();
    this.records += 1;
    this.inRecord = (high << 8) | low;
    this.isEncrypted ||= type !== HANDSHAKE;
  }

  private takeMessages(part: Uint8Array): void {
    for (let place = 0; place < part.length;) {
      if (this.inMessage === 0) {
        place += this.message.take(part, place);
        if (!this.message.isWhole) continue;
        const [, high = 0, middle = 0, low = 0] = this.message.end();
        this.inMessage = (high << 16) | (middle << 8) | low;
        this.messages += 1;
      } else {
        const length = Math.min(this.inMessage, part.length - place);
        this.inMessage -= length;
        place += length;
      }
    }
  }
}

/** Header that can arrive in parts. */
class Header {
  private readonly length: number;
  private octets: number[] = [];

  constructor(length: number) {
    this.length = length;
  }

  get isWhole(): boolean {
    return this.octets.length === this.length;
  }

  /** Takes the missing bytes and returns their number. */
  take(source: Uint8Array, place: number): number {
    const part = source.subarray(place, place + this.length - this.octets.length);
    this.octets.push(...part);
    return part.length;
  }

  end(): readonly number[] {
    const { octets } = this;
    this.octets = [];
    return octets;
  }
}
