// Merkle trees (RFC 6962 §2.1).
import { hash } from 'node:crypto';

export const HASH_OCTETS = 32;

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

const sha256 = (octets: Uint8Array): Buffer => hash('sha256', octets, 'buffer');

export const leafHash = (leaf: Uint8Array): Buffer => sha256(Buffer.concat([LEAF, leaf]));
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([NODE, left, right]));

const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array());

/** Returns the root hash of adjacent subtrees of equal size. The number of subtrees need not be a power of two. */
export function rootOver(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return EMPTY_ROOT;
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at], level[at + 1]];
      // An unpaired last hash moves up unchanged: RFC 6962 splits at the largest power of two.
      if (left) above.push(right ? nodeHash(left, right) : left);
    }
    level = above;
  }
  return level[0] ?? EMPTY_ROOT;
}

/** Combines the roots of adjacent subtrees, largest first, into the root of the entire tree. */
export const joinRoots = (roots: readonly Uint8Array[]): Uint8Array =>
  roots.length === 0 ? EMPTY_ROOT : roots.reduceRight((right, left) => nodeHash(left, right));

export function hashesOf(octets: Uint8Array): Uint8Array[] {
  return Array.from({ length: octets.length / HASH_OCTETS }, (_, at) =>
    octets.subarray(at * HASH_OCTETS, (at + 1) * HASH_OCTETS),
  );
}

export const sameHash = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
