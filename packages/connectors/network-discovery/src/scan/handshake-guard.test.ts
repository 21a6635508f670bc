import { describe, expect, it } from 'vitest';
import { HandshakeGuard } from './handshake-guard.ts';

const record = (type: number, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 0xff]), body]);
const message = (length: number): Buffer =>
  Buffer.concat([Buffer.from([11, length >> 16, (length >> 8) & 0xff, length & 0xff]), Buffer.alloc(length, 1)]);
const many = (count: number, one: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => one));

/** Returns whether all bytes pass, in pieces of the given size. */
function passes(octets: Buffer, piece: number): boolean {
  const guard = new HandshakeGuard();
  for (let place = 0; place < octets.length; place += piece)
    if (!guard.take(octets.subarray(place, place + piece))) return false;
  return true;
}

describe.each([1, 3, 7, 1_000, 1_000_000])('in pieces of %i bytes', (piece) => {
  it('a handshake passes, even if its messages are split across records', () => {
    const messages = Buffer.concat([message(80), message(40_000), message(0)]);
    const cut = [0, 5_000, 10_000, 15_000, 30_000].map((at, place, all) => messages.subarray(at, all[place + 1]));
    expect(passes(Buffer.concat(cut.map((body) => record(22, body))), piece)).toBe(true);
  });

  it('more messages than a handshake contains are rejected', () => {
    expect(passes(record(22, many(64, message(0))), piece)).toBe(true);
    expect(passes(record(22, many(65, message(0))), piece)).toBe(false);
    expect(passes(many(65, record(22, message(3))), piece)).toBe(false);
  });

  it('more records than a handshake contains are rejected, whether encrypted or empty', () => {
    expect(passes(many(512, record(23, Buffer.alloc(9))), piece)).toBe(true);
    expect(passes(many(513, record(23, Buffer.alloc(9))), piece)).toBe(false);
    expect(passes(many(513, record(22, Buffer.alloc(0))), piece)).toBe(false);
  });

  it('encrypted content is not parsed as handshake messages', () => {
    const encrypted = record(23, Buffer.alloc(4_000));
    expect(passes(Buffer.concat([record(22, message(90)), record(20, Buffer.from([1])), encrypted]), piece)).toBe(true);
  });
});
