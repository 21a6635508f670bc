// The certificates that a change is asked for, as the platform takes them, and in words.
import type { ChosenCertificates } from '@signetry/contract';
import { formatCount } from '../../../format/names.ts';
import type { ListedCertificate } from '../shapes.ts';
import type { Beyond } from '../use-selection.ts';

export interface Chosen {
  /** Rows, by their identifiers; empty where all that match are chosen. */
  readonly rows: readonly ListedCertificate[];
  /** All that match, which are too many to be listed. */
  readonly beyond?: Beyond | undefined;
}

export const requestFor = ({ rows, beyond }: Chosen): ChosenCertificates =>
  beyond ? { selection: beyond.selection } : { certificateUuids: rows.map(({ uuid }) => uuid) };

export const countOf = ({ rows, beyond }: Chosen): number => beyond?.count ?? rows.length;

/** `12 certificates`, `all 10,051 certificates that match`, `more than 10,000`. */
export const wordsOfChosen = ({ rows, beyond }: Chosen): string =>
  beyond ? `all ${wordsOfBeyond(beyond)} certificates that match` : certificates(rows.length);

export const wordsOfBeyond = ({ count, isAtLeast }: Beyond): string =>
  `${isAtLeast ? 'more than ' : ''}${formatCount(count)}`;

export const certificates = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'certificate' : 'certificates'}`;
