// Checks for subject alternative names and issuer alternative names in certificates and CSRs.
import { dnsProblem, mailboxProblem, uriProblem } from './name-syntax.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import { isEmptyName } from '../names.ts';
import { OID } from '../oids.ts';
import { aLabelProblem } from '../international-names.ts';
import { TAG } from '../der/tags.ts';
import type { Violation } from './rule.ts';

/** Returns the predicate of a sentence about the name; `false` or undefined if there is no problem. */
export type NameProblem = (name: GeneralName) => string | false | undefined;

/** Returns a violation for the first name with a problem. */
export function firstProblem(names: readonly GeneralName[], problemOf: NameProblem): Violation | undefined {
  for (const name of names) {
    const problem = problemOf(name);
    if (problem === undefined || problem === false) continue;
    const value = formatGeneralName(name).slice(0, 255);
    return { message: `The alternative name "${value}" ${problem}.`, value };
  }
  return undefined;
}

const labelsOf = (name: GeneralName): string[] => (name.kind === 'dNSName' ? name.value.split('.') : []);

export const dnsSyntax: NameProblem = (name) => name.kind === 'dNSName' && dnsProblem(name.value);
export const underscore: NameProblem = (name) =>
  name.kind === 'dNSName' && name.value.includes('_') && 'contains an underscore, which is not allowed in host names';
export const reservedLabel: NameProblem = (name) =>
  labelsOf(name).some((label) => /^(?!xn)..--/i.test(label)) && 'contains a reserved label';
export const mailboxSyntax: NameProblem = (name) => name.kind === 'rfc822Name' && mailboxProblem(name.value);
export const uriSyntax: NameProblem = (name) => name.kind === 'uniformResourceIdentifier' && uriProblem(name.value);
export const addressLength: NameProblem = (name) =>
  name.kind === 'iPAddress' && ![4, 16].includes(name.octets.length) && 'is not 4 or 16 bytes long';

/**
 * If `isFatal` is set, reports labels that cannot be decoded; otherwise, labels that are not allowed or look like other
 * labels.
 */
export const aLabel =
  (isFatal: boolean): NameProblem =>
  (name) => {
    if (name.kind !== 'dNSName' || !/xn--/i.test(name.value)) return undefined;
    const problem = name.value
      .split('.')
      .map(aLabelProblem)
      .find((each) => each?.isFatal === isFatal);
    return problem && `contains an internationalized label that ${problem.text}`;
  };

export const aLabelCase: NameProblem = (name) =>
  labelsOf(name).some((label) => /^xn--/i.test(label) && /[A-Z]/.test(label)) &&
  'contains an A-label with uppercase letters';

export const emptyDirectoryName: NameProblem = (name) =>
  name.kind === 'directoryName' && isEmptyName(name.name) && 'is an empty directory name';

export const obsoleteKind: NameProblem = (name) =>
  (name.kind === 'x400Address' || name.kind === 'ediPartyName') && `is of type ${name.kind}, which is obsolete`;

/** Checks a service name: an IA5String in the form `_service.domain` (RFC 4985 §2). */
export const serviceName: NameProblem = (name) => {
  if (name.kind !== 'otherName' || name.type !== OID.srvName) return undefined;
  if (name.value[0] !== TAG.ia5String) return 'must be an IA5String';
  const text = new TextDecoder().decode(name.value.subarray(2));
  const host = /^_[a-z0-9-]{1,15}\.(.+)$/i.exec(text)?.[1];
  return host === undefined || dnsProblem(host) !== undefined ? 'does not have the form _service.domain' : undefined;
};

const textOf = (der: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(der.subarray(2));

/**
 * Checks a mailbox: a UTF8String with an ASCII domain and a local part that does not fit in rfc822Name (RFC 9598 §3).
 */
export const utf8Mailbox: NameProblem = (name) => {
  if (name.kind !== 'otherName' || name.type !== OID.smtpUtf8Mailbox) return undefined;
  if (name.value[0] !== TAG.utf8String) return 'must be a UTF8String';
  const text = textOf(name.value);
  const at = text.lastIndexOf('@');
  const isAscii = (part: string): boolean => /^[\x20-\x7e]*$/.test(part);
  if (!isAscii(text.slice(at + 1))) return 'must have its domain in ASCII';
  return isAscii(text.slice(0, at)) ? 'must be an rfc822Name because its local part is ASCII' : undefined;
};

/** Checks for a byte order mark, which is not allowed because it would become part of the address (RFC 9598 §3). */
export const byteOrderMark: NameProblem = (name) =>
  name.kind === 'otherName' &&
  name.type === OID.smtpUtf8Mailbox &&
  textOf(name.value).startsWith('\uFEFF') &&
  'begins with a byte order mark';
