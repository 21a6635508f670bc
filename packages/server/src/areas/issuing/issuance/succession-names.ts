// Names of a certificate and of what is to succeed it: whether a renewal keeps them, and what changed, in words. Pure.
import { comparableGeneralName, type GeneralNameKind } from '@signetry/pki';
import type { CertificateRow, RequestRow } from '../../certificates/index.ts';

/** What a certificate, or a request for one, says about its names. */
export type NamesOfRow = Pick<
  CertificateRow | RequestRow,
  'common_name' | 'subject_dn' | 'subject_dn_normalized' | 'subject_alternative_names'
>;

/** Names listed one by one; the others are counted. */
const MAX_TOLD = 5;

/**
 * Does a request ask for the names that the certificate has, or that were asked for then? An RA profile may have added
 * to them or removed some. A request without names keeps them; the common name counts as an alternative name, which
 * profiles make of it.
 */
export function keepsNames(request: NamesOfRow, old: readonly NamesOfRow[]): boolean {
  const isSilent = (names: NamesOfRow): boolean => Object.keys(names.subject_alternative_names).length === 0;
  const keepsSubject =
    request.subject_dn === '' ||
    old.some(({ subject_dn_normalized }) => subject_dn_normalized === request.subject_dn_normalized);
  const keepsAltNames =
    isSilent(request) ||
    old.some((names) => namesOf(names, names).symmetricDifference(namesOf(request, names)).size === 0);
  return keepsSubject && keepsAltNames;
}

function namesOf(names: NamesOfRow, { common_name }: NamesOfRow): Set<string> {
  return new Set([
    ...altNamesOf(names),
    ...(common_name === '' ? [] : [comparableGeneralName('dNSName', common_name)]),
  ]);
}

const altNamesOf = ({ subject_alternative_names }: NamesOfRow): string[] =>
  Object.entries(subject_alternative_names).flatMap(([kind, values]) =>
    // the kinds were read from general names
    values.map((value) => comparableGeneralName(kind as GeneralNameKind, value)),
  );

/** What differs, in words; empty when nothing does. */
export function describeNameChange(before: NamesOfRow, after: NamesOfRow): string {
  const [old, fresh] = [new Set(altNamesOf(before)), new Set(altNamesOf(after))];
  const parts = [
    ...(before.subject_dn_normalized === after.subject_dn_normalized
      ? []
      : [`subject ${before.subject_dn || 'empty'} -> ${after.subject_dn || 'empty'}`]),
    ...listed('added', [...fresh.difference(old)]),
    ...listed('left out', [...old.difference(fresh)]),
  ];
  return parts.join('; ');
}

function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - MAX_TOLD;
  return [`${what} ${names.slice(0, MAX_TOLD).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`];
}
