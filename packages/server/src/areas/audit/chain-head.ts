// The head of a chain: whether the stored head is plausible, and the format in which heads are stored externally. Pure:
// no I/O.
import { isUuid } from '../../kernel/ids.ts';
import { CHAIN_START, headMac, positionAfter, sameBytes, sealVersion, type ChainPosition } from './chain.ts';
import type { AuditChainRow, AuditSealRow } from './tables.ts';

/** What the sealer knows about a chain before it appends a seal. */
export interface HeadFacts {
  readonly key: Uint8Array;
  /** Chain head as stored in the database. */
  readonly stored: AuditChainRow;
  /** The chain's newest seal. */
  readonly last: AuditSealRow | undefined;
  /** Chain head that this process wrote, and whether the chain still contains its seal. */
  readonly remembered: (ChainPosition & { readonly isHeld: boolean }) | undefined;
}

export interface HeadEvaluation {
  /** Position from which the next seal continues. */
  readonly place: ChainPosition;
  /** Description of the problem, if the chain was truncated or its head was altered. */
  readonly problem?: string;
}

/**
 * A broken chain is continued so that the break stays visible permanently: after the remembered head if seals were
 * removed, otherwise with one number skipped. Every later verification then reports the missing seals.
 */
export function evaluateHead(facts: HeadFacts): HeadEvaluation {
  const { last, remembered } = facts;
  const found = last ? positionAfter(last) : CHAIN_START;
  const problem = problemOf(facts);
  if (problem === undefined) return { place: found };
  if (remembered && remembered.number > found.number) return { place: remembered, problem };
  return { place: { ...found, number: found.number + 1, nextSequence: found.nextSequence + 1 }, problem };
}

function problemOf({ key, stored, last, remembered }: HeadFacts): string | undefined {
  const found = last ? positionAfter(last) : CHAIN_START;
  if (remembered && remembered.number > found.number)
    return `it ends with seal ${found.number}, but this process wrote seal ${remembered.number}`;
  if (remembered && !remembered.isHeld)
    return `it no longer contains seal ${remembered.number}, which this process wrote`;
  if (
    !isSamePosition(found, {
      number: stored.seal_number,
      nextSequence: stored.next_sequence,
      value: stored.chain_value,
    })
  )
    return `its head refers to seal ${stored.seal_number}, but its newest seal is ${found.number}`;
  if (last && !hasRequiredMac(key, { stored, last }))
    return `its head, seal ${found.number}, does not have the MAC of this installation`;
  return undefined;
}

const isSamePosition = (a: ChainPosition, b: ChainPosition): boolean =>
  a.number === b.number && a.nextSequence === b.nextSequence && sameBytes(a.value, b.value);

/**
 * Returns whether the head has the MAC that its newest seal requires. A version 1 seal can be newer than the head that
 * has a MAC; a version 2 seal cannot.
 */
function hasRequiredMac(key: Uint8Array, { stored, last }: { stored: AuditChainRow; last: AuditSealRow }): boolean {
  const version = sealVersion(key, last);
  if (version === 1) return true;
  return version === 2 && matchesSeal(key, { stored, seal: last });
}

/** Returns whether the stored head's MAC matches this seal. */
export function matchesSeal(
  key: Uint8Array,
  { stored, seal }: { readonly stored: AuditChainRow; readonly seal: AuditSealRow },
): boolean {
  if (stored.end_mac === null || stored.end_seal_number !== seal.seal_number) return false;
  return sameBytes(headMac(key, { node: seal.node_id, place: positionAfter(seal) }), stored.end_mac);
}

/** A chain head that was sent to an external location. */
export interface SentHead {
  readonly node: string;
  readonly place: ChainPosition;
  readonly mac: Uint8Array;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Returns a chain head as one word: node, seals, records, value, MAC. */
export const formatHead = ({ node, place, mac }: SentHead): string =>
  [node, place.number, place.nextSequence - 1, hex(place.value), hex(mac)].join(':');

const END_TEXT = /^([0-9a-fA-F-]{36}):(\d{1,15}):(\d{1,15}):([0-9a-f]{64}):([0-9a-f]{64})$/;

/** Parses a chain head; returns undefined if the text has a different format. */
export function parseHead(text: string): SentHead | undefined {
  const [, node = '', seals = '', records = '', value = '', mac = ''] = END_TEXT.exec(text) ?? [];
  if (!isUuid(node)) return undefined;
  const place = { number: Number(seals), nextSequence: Number(records) + 1, value: Buffer.from(value, 'hex') };
  return { node: node.toLowerCase(), place, mac: Buffer.from(mac, 'hex') };
}
