// Certificates that a server sent, in its order, including those that do not belong to the chain. node:tls exposes only
// the certificates that it could link, so they are read from the handshake. They are sent in plaintext in TLS 1.2 (RFC
// 5246 §7.4.2), and encrypted in TLS 1.3 (RFC 8446 §4.4.2) with a key that this process knows from the handshake.
import { createDecipheriv, createHmac, type CipherGCMTypes } from 'node:crypto';

const RECORD = { changeCipherSpec: 20, handshake: 22, applicationData: 23 } as const;
const MESSAGE = { serverHello: 2, certificate: 11 } as const;
const TLS_1_3 = 0x0304;
const SUPPORTED_VERSIONS = 43;
const RECORD_HEADER = 5;
const TAG_OCTETS = 16;
/** Servers send three or four; the limit stops abuse. */
const MAX_CERTIFICATES = 64;

interface Suite {
  readonly cipher: CipherGCMTypes | 'chacha20-poly1305';
  readonly hash: 'sha256' | 'sha384';
  readonly keyOctets: number;
}

/** RFC 8446 §B.4. CCM suites are not offered. */
const SUITES: ReadonlyMap<number, Suite> = new Map<number, Suite>([
  [0x1301, { cipher: 'aes-128-gcm', hash: 'sha256', keyOctets: 16 }],
  [0x1302, { cipher: 'aes-256-gcm', hash: 'sha384', keyOctets: 32 }],
  [0x1303, { cipher: 'chacha20-poly1305', hash: 'sha256', keyOctets: 32 }],
]);

export interface ServedChain {
  readonly protocol: string;
  /** DER, in the order sent. */
  readonly certificates: readonly Uint8Array[];
}

/**
 * Reads a transcript of the data that a server sent. `secret` is its TLS 1.3 handshake traffic secret. Returns
 * undefined if the transcript ends before the certificates, or contains them in a format that is not offered.
 */
export function readServedChain(transcript: Uint8Array, secret: Uint8Array | undefined): ServedChain | undefined {
  try {
    const hello = new Handshake();
    for (const record of recordsOf(transcript)) {
      if (record.type === RECORD.handshake) hello.take(record.body);
      else if (record.type === RECORD.applicationData) break;
      const certificates = hello.find(MESSAGE.certificate);
      if (certificates)
        return { protocol: protocolOf(hello), certificates: certificatesIn(certificates, { isTls13: false }) };
    }
    const serverHello = hello.findLast(MESSAGE.serverHello);
    return serverHello && secret ? readEncrypted(transcript, serverHello, secret) : undefined;
  } catch (error) {
    // A peer can send anything; without a handshake there is no chain.
    if (error instanceof RangeError || error instanceof MalformedHandshake || isCipherError(error)) return undefined;
    throw error;
  }
}

class MalformedHandshake extends Error {}

const isCipherError = (error: unknown): boolean =>
  error instanceof Error && /authenticate|decrypt/i.test(error.message);

function readEncrypted(transcript: Uint8Array, serverHello: Uint8Array, secret: Uint8Array): ServedChain | undefined {
  const suite = SUITES.get(readServerHello(serverHello).suite);
  if (!suite) return undefined;
  const key = expandLabel(suite, secret, { label: 'key', octets: suite.keyOctets });
  const iv = expandLabel(suite, secret, { label: 'iv', octets: 12 });
  const messages = new Handshake();
  let sequence = 0;
  for (const record of recordsOf(transcript)) {
    if (record.type !== RECORD.applicationData) continue;
    const { type, body } = openRecord(suite, { key, nonce: nonceOf(iv, sequence), record });
    sequence += 1;
    if (type !== RECORD.handshake) continue;
    messages.take(body);
    const message = messages.find(MESSAGE.certificate);
    if (message) return { protocol: 'TLSv1.3', certificates: certificatesIn(message, { isTls13: true }) };
  }
  return undefined;
}

interface TlsRecord {
  readonly type: number;
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}

/** Returns the complete records of a transcript; a partial record at its end is ignored. */
function* recordsOf(transcript: Uint8Array): Iterable<TlsRecord> {
  for (let place = 0; place + RECORD_HEADER <= transcript.length;) {
    const header = transcript.subarray(place, place + RECORD_HEADER);
    const end = place + RECORD_HEADER + readUnsigned(header, 3, 2);
    if (end > transcript.length) return;
    yield { type: header[0] ?? 0, header, body: transcript.subarray(place + RECORD_HEADER, end) };
    place = end;
  }
}

/** Handshake messages, which may be split or coalesced across records. */
class Handshake {
  private octets = new Uint8Array();

  take(body: Uint8Array): void {
    this.octets = Buffer.concat([this.octets, body]);
  }

  find(type: number): Uint8Array | undefined {
    for (const message of this.messages()) if (message.type === type) return message.body;
    return undefined;
  }

  /** A server can send two ServerHello messages: the first requests a different key share (RFC 8446 §4.1.4). */
  findLast(type: number): Uint8Array | undefined {
    return [...this.messages()].findLast((message) => message.type === type)?.body;
  }

  private *messages(): Iterable<{ readonly type: number; readonly body: Uint8Array }> {
    for (let place = 0; place + 4 <= this.octets.length;) {
      const end = place + 4 + readUnsigned(this.octets, place + 1, 3);
      if (end > this.octets.length) return;
      yield { type: this.octets[place] ?? 0, body: this.octets.subarray(place + 4, end) };
      place = end;
    }
  }
}

const PROTOCOLS: Readonly<Record<number, string>> = { 0x0301: 'TLSv1', 0x0302: 'TLSv1.1', 0x0303: 'TLSv1.2' };

function protocolOf(hello: Handshake): string {
  const message = hello.find(MESSAGE.serverHello);
  return (message && PROTOCOLS[readServerHello(message).version]) ?? 'unknown';
}

function readServerHello(message: Uint8Array): { readonly version: number; readonly suite: number } {
  const reader = new Reader(message);
  const version = reader.number(2);
  reader.octets(32);
  reader.vector(1);
  const suite = reader.number(2);
  reader.octets(1);
  if (reader.isAtEnd) return { version, suite };
  const extensions = new Reader(reader.vector(2));
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const value = extensions.vector(2);
    if (type === SUPPORTED_VERSIONS && readUnsigned(value, 0, 2) === TLS_1_3) return { version: TLS_1_3, suite };
  }
  return { version, suite };
}

function certificatesIn(message: Uint8Array, { isTls13 }: { readonly isTls13: boolean }): readonly Uint8Array[] {
  const reader = new Reader(message);
  // Request context, empty here (RFC 8446 §4.4.2).
  if (isTls13) reader.vector(1);
  const list = new Reader(reader.vector(3));
  const certificates: Uint8Array[] = [];
  while (!list.isAtEnd) {
    if (certificates.length === MAX_CERTIFICATES)
      throw new MalformedHandshake('There are too many certificates in the handshake.');
    // Copied, so that the transcript can be freed.
    certificates.push(Uint8Array.from(list.vector(3)));
    if (isTls13) list.vector(2);
  }
  return certificates;
}

class Reader {
  private readonly source: Uint8Array;
  private place = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.place >= this.source.length;
  }

  octets(count: number): Uint8Array {
    const end = this.place + count;
    if (end > this.source.length)
      throw new MalformedHandshake('A handshake message is shorter than its declared length.');
    const octets = this.source.subarray(this.place, end);
    this.place = end;
    return octets;
  }

  number(octets: number): number {
    return readUnsigned(this.octets(octets), 0, octets);
  }

  /** Reads a vector whose length prefix has `lengthOctets` bytes. */
  vector(lengthOctets: number): Uint8Array {
    return this.octets(this.number(lengthOctets));
  }
}

const readUnsigned = (octets: Uint8Array, place: number, count: number): number =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).readUIntBE(place, count);

/** HKDF-Expand-Label with an empty context (RFC 8446 §7.1); the output is never longer than one block. */
function expandLabel(
  { hash }: Suite,
  secret: Uint8Array,
  { label, octets }: { readonly label: string; readonly octets: number },
): Uint8Array {
  const text = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([octets >> 8, octets & 0xff, text.length]), text, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, octets);
}

/** RFC 8446 §5.3. */
function nonceOf(iv: Uint8Array, sequence: number): Uint8Array {
  const nonce = Buffer.from(iv);
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
  return nonce;
}

/** Decrypts a record. Its type follows the content and is followed by zero padding (RFC 8446 §5.2). */
function openRecord(
  { cipher }: Suite,
  { key, nonce, record }: { readonly key: Uint8Array; readonly nonce: Uint8Array; readonly record: TlsRecord },
): { readonly type: number; readonly body: Uint8Array } {
  // Both are AEADs with the same API; only the type definitions differ.
  const decipher = createDecipheriv(cipher as 'aes-128-gcm', key, nonce, { authTagLength: TAG_OCTETS });
  const end = record.body.length - TAG_OCTETS;
  decipher.setAAD(record.header);
  decipher.setAuthTag(record.body.subarray(end));
  const plain = Buffer.concat([decipher.update(record.body.subarray(0, end)), decipher.final()]);
  const typeAt = plain.findLastIndex((octet) => octet !== 0);
  return { type: plain[typeAt] ?? 0, body: plain.subarray(0, Math.max(0, typeAt)) };
}
