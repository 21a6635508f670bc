// The end of a chain: whether what the database says of it can be true, and the form in which it is kept elsewhere.
// Pure: no I/O.
import { isUuid } from '../../kernel/ids.ts';
import { CHAIN_START, endMac, placeAfter, sameBytes, sealVersion, type ChainPlace } from './chain.ts';
import type { AuditChainRow, AuditSealRow } from './tables.ts';

/** What the sealer knows of a chain before it adds a seal. */
export interface EndFacts {
  readonly key: Uint8Array;
  /** The end as the database has it. */
  readonly stored: AuditChainRow;
  /** The newest seal of the chain. */
  readonly last: AuditSealRow | undefined;
  /** The end as this process wrote it, with whether the chain still holds its seal. */
  readonly remembered: (ChainPlace & { readonly isHeld: boolean }) | undefined;
}

export interface EndJudgement {
  /** What the next seal continues. */
  readonly place: ChainPlace;
  /** What is wrong, in words, when the chain was cut or its end altered. */
  readonly problem?: string;
}

/**
 * A broken chain is continued so that its break stays visible for good: behind the remembered end where seals were cut
 * off, and with one number left free otherwise. Every later verification then reports the missing seals.
 */
export function judgeEnd(facts: EndFacts): EndJudgement {
  const { last, remembered } = facts;
  const found = last ? placeAfter(last) : CHAIN_START;
  const problem = problemOf(facts);
  if (problem === undefined) return { place: found };
  if (remembered && remembered.number > found.number) return { place: remembered, problem };
  return { place: { ...found, number: found.number + 1, nextSequence: found.nextSequence + 1 }, problem };
}

function problemOf({ key, stored, last, remembered }: EndFacts): string | undefined {
  const found = last ? placeAfter(last) : CHAIN_START;
  if (remembered && remembered.number > found.number)
    return `it ends with seal ${found.number}, but this process wrote seal ${remembered.number}`;
  if (remembered && !remembered.isHeld)
    return `seal ${remembered.number}, which this process wrote, is no longer in it`;
  if (
    !isSamePlace(found, { number: stored.seal_number, nextSequence: stored.next_sequence, value: stored.chain_value })
  )
    return `its end says seal ${stored.seal_number}, but its newest seal is ${found.number}`;
  if (last && !hasEnd(key, { stored, last }))
    return `its end, seal ${found.number}, does not carry the MAC of this installation`;
  return undefined;
}

const isSamePlace = (a: ChainPlace, b: ChainPlace): boolean =>
  a.number === b.number && a.nextSequence === b.nextSequence && sameBytes(a.value, b.value);

/** A seal of version 1 may come after the end under a MAC, but none of version 2. */
function hasEnd(key: Uint8Array, { stored, last }: { stored: AuditChainRow; last: AuditSealRow }): boolean {
  const version = sealVersion(key, last);
  if (version === 1) return true;
  return version === 2 && isEnd(key, { stored, seal: last });
}

/** Does the MAC of the stored end hold for this seal? */
export function isEnd(
  key: Uint8Array,
  { stored, seal }: { readonly stored: AuditChainRow; readonly seal: AuditSealRow },
): boolean {
  if (stored.end_mac === null || stored.end_seal_number !== seal.seal_number) return false;
  return sameBytes(endMac(key, { node: seal.node_id, place: placeAfter(seal) }), stored.end_mac);
}

/** An end that was sent elsewhere. */
export interface SentEnd {
  readonly node: string;
  readonly place: ChainPlace;
  readonly mac: Uint8Array;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** One word that holds an end: node, seals, records, value, MAC. */
export const endText = ({ node, place, mac }: SentEnd): string =>
  [node, place.number, place.nextSequence - 1, hex(place.value), hex(mac)].join(':');

const END_TEXT = /^([0-9a-fA-F-]{36}):(\d{1,15}):(\d{1,15}):([0-9a-f]{64}):([0-9a-f]{64})$/;

/** The end that a text holds, or undefined when it has another form. */
export function readEndText(text: string): SentEnd | undefined {
  const [, node = '', seals = '', records = '', value = '', mac = ''] = END_TEXT.exec(text) ?? [];
  if (!isUuid(node)) return undefined;
  const place = { number: Number(seals), nextSequence: Number(records) + 1, value: Buffer.from(value, 'hex') };
  return { node: node.toLowerCase(), place, mac: Buffer.from(mac, 'hex') };
}
