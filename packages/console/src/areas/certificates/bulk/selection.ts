// Certificates selected for a bulk change, as API parameters and as text.
import type { ChosenCertificates } from '@signetry/contract';
import { formatCount } from '../../../format/names.ts';
import type { ListedCertificate } from '../shapes.ts';
import type { AllMatching } from '../use-selection.ts';

export interface BulkSelection {
  /** Selected rows; empty if all matching certificates are selected. */
  readonly rows: readonly ListedCertificate[];
  /** Represents all matching certificates if there are too many to list. */
  readonly beyond?: AllMatching | undefined;
}

export const requestFor = ({ rows, beyond }: BulkSelection): ChosenCertificates =>
  beyond ? { selection: beyond.selection } : { certificateUuids: rows.map(({ uuid }) => uuid) };

export const countOf = ({ rows, beyond }: BulkSelection): number => beyond?.count ?? rows.length;

/**
 * Formats `12 certificates`, `all matching certificates (10,051)` or `all matching certificates (more than 10,000)`.
 */
export const describeSelection = ({ rows, beyond }: BulkSelection): string =>
  beyond ? `all matching certificates (${describeMatchCount(beyond)})` : formatCertificateCount(rows.length);

export const describeMatchCount = ({ count, isAtLeast }: AllMatching): string =>
  `${isAtLeast ? 'more than ' : ''}${formatCount(count)}`;

export const formatCertificateCount = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'certificate' : 'certificates'}`;
