// Certificates selected for a bulk change, as API parameters and as text.
import type { ChosenCertificates } from '@signetry/contract';
import { formatCount } from '../../../format/names.ts';
import type { ListedCertificate } from '../shapes.ts';
import type { Beyond } from '../use-selection.ts';

export interface Chosen {
  /** Selected rows; empty if all matching certificates are selected. */
  readonly rows: readonly ListedCertificate[];
  /** Represents all matching certificates if there are too many to list. */
  readonly beyond?: Beyond | undefined;
}

export const requestFor = ({ rows, beyond }: Chosen): ChosenCertificates =>
  beyond ? { selection: beyond.selection } : { certificateUuids: rows.map(({ uuid }) => uuid) };

export const countOf = ({ rows, beyond }: Chosen): number => beyond?.count ?? rows.length;

/**
 * Formats `12 certificates`, `all matching certificates (10,051)` or `all matching certificates (more than 10,000)`.
 */
export const wordsOfChosen = ({ rows, beyond }: Chosen): string =>
  beyond ? `all matching certificates (${wordsOfBeyond(beyond)})` : certificates(rows.length);

export const wordsOfBeyond = ({ count, isAtLeast }: Beyond): string =>
  `${isAtLeast ? 'more than ' : ''}${formatCount(count)}`;

export const certificates = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'certificate' : 'certificates'}`;
