// What binds audit records together: the value of a seal, which continues the value before it, and the MAC of a purge
// marker. Both are keyed, so that whoever can write to the database still cannot rebuild a chain. Pure: no I/O.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditPurgeRow, AuditSealRow } from './tables.ts';

export const HASH_BYTES = 32;

/** Value before the first seal of a chain. */
export const GENESIS = new Uint8Array(HASH_BYTES);

/** Hash of a record that was gone before it could be sealed; no record has it. */
export const MISSING_ROW_HASH = new Uint8Array(HASH_BYTES);

/**
 * Seals of version 2 were written together with an end of the chain under a MAC, so that a chain that holds one must
 * have such an end. Those of version 1 come from programs that knew none. A further version is first read by one
 * release and written by the next: a program that is rolled back by one release must not take it for tampering.
 */
export type SealVersion = 1 | 2;

/** The version of a seal whose value is genuine, or undefined. */
export function sealVersion(key: Uint8Array, seal: AuditSealRow): SealVersion | undefined {
  return ([2, 1] as const).find((version) => sameBytes(sealValue(key, seal, { version }), seal.chain_value));
}

/**
 * Value of a seal: a MAC over everything the seal says and the value before it. All variable parts come after their
 * number, so that no two seals have the same encoding.
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

/** A place in a chain: what the next seal has to continue. */
export interface ChainPlace {
  /** Number of the last seal; 0 before the first. */
  readonly number: number;
  /** Sequence number of the next record; one more than the records sealed so far. */
  readonly nextSequence: number;
  readonly value: Uint8Array;
}

export const CHAIN_START: ChainPlace = { number: 0, nextSequence: 1, value: GENESIS };

/** Where a chain stands after a seal. */
export const placeAfter = (seal: AuditSealRow): ChainPlace => ({
  number: seal.seal_number,
  nextSequence: seal.first_sequence + seal.audit_ids.length,
  value: Uint8Array.from(seal.chain_value),
});

/** MAC of the end of a chain: whose chain it is, how many seals and records it has, and its value. */
export function endMac(key: Uint8Array, { node, place }: { readonly node: string; readonly place: ChainPlace }) {
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

/** Runs of consecutive numbers in a rising list, as the first and last of each. */
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
