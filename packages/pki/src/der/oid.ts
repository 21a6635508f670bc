// Converts OBJECT IDENTIFIER content octets to and from dotted text (X.690 §8.19). Both directions use fixed-size
// caches, because certificates repeat the same twenty OIDs. Hostile input can evict entries but cannot grow the caches.
import { DerError, PkiError } from '../errors.ts';

/** Maximum content length. A UUID under 2.25 needs 20 bytes, the longest registered OIDs about 40. */
const MAX_OID_OCTETS = 128;
const SLOTS = 1024; // A power of two: the slot is the low bits of the hash.

interface CachedText {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const textBySlot: (CachedText | undefined)[] = Array.from({ length: SLOTS });

/** Returns the dotted text of the content octets `source[from, to)`. Throws `DerError` `bad-oid`. */
export function oidText(source: Uint8Array, from: number, to: number): string {
  let hash = 0x811c9dc5;
  // The index is within bounds.
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (source[i] as number), 0x01000193);
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const cached = textBySlot[slot];
  if (cached !== undefined && equalOctets(cached.bytes, source, from, to)) return cached.text;
  const text = decodeOid(source, from, to);
  textBySlot[slot] = { bytes: source.slice(from, to), text };
  return text;
}

function equalOctets(bytes: Uint8Array, source: Uint8Array, from: number, to: number): boolean {
  if (bytes.length !== to - from) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== source[from + i]) return false;
  return true;
}

function decodeOid(source: Uint8Array, from: number, to: number): string {
  // The last octet of each subidentifier has its high bit clear, and so does the last octet of the contents.
  if (to === from || to - from > MAX_OID_OCTETS || (source[to - 1] as number) >= 0x80)
    throw new DerError('bad-oid', from);
  const arcs: string[] = [];
  for (let at = from; at < to;) {
    // A leading zero is not allowed, because the length must be minimal (§8.19.2).
    if (source[at] === 0x80) throw new DerError('bad-oid', at);
    let value = 0;
    let big: bigint | undefined;
    for (let more = true; more; at++) {
      const octet = source[at] as number; // The last content octet has its high bit clear, which ends the loop.
      more = octet >= 0x80;
      if (big === undefined && value > 2 ** 45) big = BigInt(value);
      if (big === undefined) value = value * 128 + (octet & 0x7f);
      else big = big * 128n + BigInt(octet & 0x7f);
    }
    if (arcs.length > 0) arcs.push(String(big ?? value));
    else if (big !== undefined) arcs.push('2', String(big - 80n));
    else arcs.push(String(Math.min(Math.floor(value / 40), 2)), String(value < 80 ? value % 40 : value - 80));
  }
  return arcs.join('.');
}

const OID_TEXT = /^(?:[01]\.(?:\d|[1-3]\d)|2\.(?:0|[1-9]\d*))(?:\.(?:0|[1-9]\d*))*$/;
const MAX_OID_TEXT = 384;

/** Returns whether the text is a dotted OID with at least two arcs. */
export function isOid(text: string): boolean {
  return text.length <= MAX_OID_TEXT && OID_TEXT.test(text);
}

/** Returns the content octets of a dotted OID. Throws `PkiError` `bad-argument`. */
export function encodeOid(text: string): Uint8Array {
  if (!isOid(text)) throw new PkiError('bad-argument', `"${text.slice(0, 64)}" is not a valid OID.`);
  const arcs = text.split('.').map(BigInt);
  const [first = 0n, second = 0n, ...rest] = arcs;
  const octets: number[] = [];
  for (const arc of [first * 40n + second, ...rest]) {
    const groups = [Number(arc & 0x7fn)];
    for (let left = arc >> 7n; left > 0n; left >>= 7n) groups.push(Number(left & 0x7fn) | 0x80);
    octets.push(...groups.reverse());
  }
  if (octets.length > MAX_OID_OCTETS) throw new PkiError('bad-argument', 'The OID is too long.');
  return Uint8Array.from(octets);
}
