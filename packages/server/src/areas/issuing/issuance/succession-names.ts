// Compares the names in a certificate and its successor: whether a renewal keeps them, and what changed, for messages.
// Pure.
import { generalNameKey, type GeneralNameKind } from '@signetry/pki';
import type { CertificateRow, RequestRow } from '../../certificates/index.ts';

/** Names in a certificate, or in a request for one. */
export type NamesOfRow = Pick<
  CertificateRow | RequestRow,
  'common_name' | 'subject_dn' | 'subject_dn_normalized' | 'subject_alternative_names'
>;

/** Maximum number of names listed individually. The remaining ones are only counted. */
const MAX_TOLD = 5;

/**
 * Returns whether a request contains the certificate's names, or the names originally requested; an RA profile may have
 * added or removed some. A request without names keeps the existing ones. The common name is treated as a subject
 * alternative name, because profiles copy it there.
 */
export function keepsNames(request: NamesOfRow, old: readonly NamesOfRow[]): boolean {
  const hasNoNames = (names: NamesOfRow): boolean => Object.keys(names.subject_alternative_names).length === 0;
  const keepsSubject =
    request.subject_dn === '' ||
    old.some(({ subject_dn_normalized }) => subject_dn_normalized === request.subject_dn_normalized);
  const keepsAltNames =
    hasNoNames(request) ||
    old.some((names) => namesOf(names, names).symmetricDifference(namesOf(request, names)).size === 0);
  return keepsSubject && keepsAltNames;
}

function namesOf(names: NamesOfRow, { common_name }: NamesOfRow): Set<string> {
  return new Set([...altNamesOf(names), ...(common_name === '' ? [] : [generalNameKey('dNSName', common_name)])]);
}

const altNamesOf = ({ subject_alternative_names }: NamesOfRow): string[] =>
  Object.entries(subject_alternative_names).flatMap(([kind, values]) =>
    // The kinds were read from general names.
    values.map((value) => generalNameKey(kind as GeneralNameKind, value)),
  );

/** Describes the differences; empty if there are none. */
export function describeNameChange(before: NamesOfRow, after: NamesOfRow): string {
  const [old, fresh] = [new Set(altNamesOf(before)), new Set(altNamesOf(after))];
  const parts = [
    ...(before.subject_dn_normalized === after.subject_dn_normalized
      ? []
      : [`subject ${before.subject_dn || 'empty'} -> ${after.subject_dn || 'empty'}`]),
    ...describeList('added', [...fresh.difference(old)]),
    ...describeList('removed', [...old.difference(fresh)]),
  ];
  return parts.join('; ');
}

function describeList(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - MAX_TOLD;
  return [`${what} ${names.slice(0, MAX_TOLD).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
}
