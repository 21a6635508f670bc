// Text for bulk changes.
import type { AssignedNames, CertificateChange, CertificateChangeKind } from '@signetry/contract';
import { formatCount } from '../../../format/names.ts';
import type { Tone } from '../../../ui/state.tsx';
import { describeFilter } from '../filter-text.ts';
import { formatCertificateCount } from './selection.ts';

const verbs: Readonly<Record<CertificateChangeKind, string>> = {
  update: 'Assign to',
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
};

/** Past participles for the counts, e.g. `12 of 40 deleted`. */
export const pastParticiples: Readonly<Record<CertificateChangeKind, string>> = {
  update: 'changed',
  archive: 'archived',
  unarchive: 'unarchived',
  delete: 'deleted',
};

/** Formats `Delete 12 certificates`. */
export const titleOfChange = ({ kind, total }: CertificateChange): string =>
  `${verbs[kind]} ${formatCertificateCount(total)}`;

/** Formats `Owner alice. Groups web, mail. No RA profile.`; returns undefined if nothing is assigned. */
export function describeAssigned({ owner, groups, raProfile }: AssignedNames = {}): string | undefined {
  const parts = [
    owner !== undefined && (owner === '' ? 'No owner' : `Owner ${owner}`),
    groups && (groups.length === 0 ? 'No groups' : `${groups.length === 1 ? 'Group' : 'Groups'} ${groups.join(', ')}`),
    raProfile !== undefined && (raProfile === '' ? 'No RA profile' : `RA profile ${raProfile}`),
  ].filter((part) => part !== false && part !== undefined);
  return parts.length === 0 ? undefined : `${parts.join('. ')}.`;
}

/** Describes the selection, e.g. `All matching: State: Issued; “web”`. */
export function describeChangeSelection({ selection }: CertificateChange): string {
  if (!selection) return 'Selected individually';
  const { filters = [], text, includeArchived } = selection;
  const parts = [...filters.map(describeFilter), text && `“${text}”`, includeArchived && 'including archived'];
  return `All matching: ${parts.filter(Boolean).join('; ')}`;
}

/** Returns the percentage of certificates that were processed. */
export const shareOf = ({ total, changed, refused }: CertificateChange): number =>
  total === 0 ? 100 : Math.floor((100 * (changed + refused)) / total);

export function stateOfChange(change: CertificateChange): readonly [tone: Tone, words: string] {
  const { finishedAt, stoppedBy, refused } = change;
  if (finishedAt === undefined) return ['wait', `In progress, ${shareOf(change)}%`];
  if (stoppedBy !== undefined) return ['warn', `Stopped by ${stoppedBy}`];
  return refused === 0 ? ['good', 'Done'] : ['warn', `Done, ${formatCount(refused)} rejected`];
}

/** Formats `1,000 of 1,005 certificates deleted, 5 rejected.` */
export function countsOf({ kind, total, changed, refused, stoppedBy }: CertificateChange): string {
  const left = total - changed - refused;
  return [
    `${formatCount(changed)} of ${formatCertificateCount(total)} ${pastParticiples[kind]}`,
    ...(refused > 0 ? [`${formatCount(refused)} rejected`] : []),
    ...(stoppedBy !== undefined && left > 0 ? [`${formatCount(left)} unchanged`] : []),
  ].join(', ');
}
