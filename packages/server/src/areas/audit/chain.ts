// Links between audit records: the value of a seal, which continues the previous value, and the MAC of a purge marker.
// Both are keyed, so that write access to the database is not enough to rebuild a chain. Pure: no I/O.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditPurgeRow, AuditSealRow } from './tables.ts';

export const HASH_BYTES = 32;

/** Value before a chain's first seal. */
export const GENESIS = new Uint8Array(HASH_BYTES);

/** Hash for a record that was removed before it could be sealed; no record has this hash. */
export const MISSING_ROW_HASH = new Uint8Array(HASH_BYTES);

/**
 * Version 2 seals are written together with a chain head that has a MAC, so a chain that contains such a seal must have
 * such a head. Version 1 seals come from releases that do not write the MAC. A new version is first read by one release
 * and then written by the next, because rolling back by one release must not be reported as tampering.
 */
export type SealVersion = 1 | 2;

/** Returns the version of a seal whose value is authentic; undefined if it is not. */
export function sealVersion(key: Uint8Array, seal: AuditSealRow): SealVersion | undefined {
  return ([2, 1] as const).find((version) => sameBytes(sealValue(key, seal, { version }), seal.chain_value));
}

/**
 * Returns a seal's value: a MAC over all fields of the seal and the previous value. Variable parts are preceded by
 * their count, so that no two seals have the same encoding.
 */
export function sealValue(
  key: Uint8Array,
  seal: Omit<AuditSealRow, 'chain_value'>,
  { version = 2 }: { readonly version?: SealVersion } = {},
): Uint8Array {
  const head = [
    `signetry audit seal ${version}`,
    seal.node_id,
    seal.seal_number,
    seal.first_sequence,
    seal.sealed_at.toISOString(),
    seal.audit_ids.length,
  ];
  return createHmac('sha256', key)
    .update(head.join('\n') + '\n')
    .update(seal.previous_value)
    .update(numberBytes(seal.audit_ids))
    .update(seal.row_hashes)
    .digest();
}

export function purgeMac(key: Uint8Array, marker: Omit<AuditPurgeRow, 'mac'>): Uint8Array {
  const facts = [
    'signetry audit purge 1',
    marker.uuid,
    marker.part,
    marker.purged_at.toISOString(),
    marker.record_count,
    marker.first_ids.length,
  ];
  return createHmac('sha256', key)
    .update(facts.join('\n') + '\n')
    .update(numberBytes(marker.first_ids))
    .update(numberBytes(marker.last_ids))
    .update(marker.actor_name ?? '')
    .digest();
}

/** Position in a chain, which the next seal continues from. */
export interface ChainPosition {
  /** Number of the last seal; 0 before the first. */
  readonly number: number;
  /** Sequence number of the next record: one more than the number of sealed records. */
  readonly nextSequence: number;
  readonly value: Uint8Array;
}

export const CHAIN_START: ChainPosition = { number: 0, nextSequence: 1, value: GENESIS };

/** Returns the position in the chain after a seal. */
export const positionAfter = (seal: AuditSealRow): ChainPosition => ({
  number: seal.seal_number,
  nextSequence: seal.first_sequence + seal.audit_ids.length,
  value: Uint8Array.from(seal.chain_value),
});

/** Returns a chain head's MAC, which covers its node, its number of seals and records, and its value. */
export function headMac(key: Uint8Array, { node, place }: { readonly node: string; readonly place: ChainPosition }) {
  const facts = ['signetry audit end 1', node, place.number, place.nextSequence];
  return createHmac('sha256', key)
    .update(facts.join('\n') + '\n')
    .update(place.value)
    .digest();
}

function numberBytes(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [index, number] of numbers.entries()) bytes.writeBigInt64BE(BigInt(number), index * 8);
  return bytes;
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Returns the first and last numbers of runs of consecutive numbers in an ascending list. */
export function runsOf(ids: readonly number[]): { readonly first_ids: number[]; readonly last_ids: number[] } {
  const first_ids: number[] = [];
  const last_ids: number[] = [];
  for (const id of ids) {
    if (last_ids.at(-1) === id - 1) last_ids[last_ids.length - 1] = id;
    else {
      first_ids.push(id);
      last_ids.push(id);
    }
  }
  return { first_ids, last_ids };
}
