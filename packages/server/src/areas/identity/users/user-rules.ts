// Rules for users and roles that do not require the database. Pure; the current time is an argument.
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '@signetry/contract';
import type { UserCertificate } from '../ports.ts';

// Control characters are invisible in tables and logs, and PostgreSQL rejects U+0000. Descriptions can have multiple
// lines.
// oxlint-disable no-control-regex -- control characters are matched intentionally
const NOT_IN_NAMES = /[\u0000-\u001f\u007f]/;
const NOT_IN_DESCRIPTIONS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
// oxlint-enable no-control-regex

type Texts = Readonly<Record<string, string | null | undefined>>;

/** Returns the problems with these names, identified by field label. Absent names are valid. */
export const problemsOfNames = (texts: Texts): string[] =>
  problemsOfTexts(texts, { maxChars: MAX_NAME_LENGTH, refused: NOT_IN_NAMES });

export const problemsOfDescription = (description: string | null | undefined): string[] =>
  problemsOfTexts(
    { 'The description': description },
    { maxChars: MAX_DESCRIPTION_LENGTH, refused: NOT_IN_DESCRIPTIONS },
  );

function problemsOfTexts(texts: Texts, bounds: { readonly maxChars: number; readonly refused: RegExp }): string[] {
  const problems: string[] = [];
  for (const [field, text] of Object.entries(texts)) {
    if (text === null || text === undefined) continue;
    if (text.length > bounds.maxChars) problems.push(`${field} must not be longer than ${bounds.maxChars} characters.`);
    if (bounds.refused.test(text)) problems.push(`${field} must not contain control characters.`);
  }
  return problems;
}

/** Returns null for an empty string, which clients send for blank form fields. */
export const blankToNull = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text;

/** Returns why a certificate cannot be assigned to a user as a credential. */
export function problemsOfNewCertificate(certificate: UserCertificate, now: Date): string[] {
  const { uuid, state, archived, revoked, notBefore, notAfter } = certificate;
  const problems: string[] = [];
  if (archived) problems.push(`Certificate ${uuid} is archived. Unarchive it first.`);
  if (state !== 'issued' || revoked)
    problems.push(
      `Certificate ${uuid} is ${revoked ? 'revoked' : state}; only issued certificates can be used to sign in.`,
    );
  if (notBefore > now) problems.push(`Certificate ${uuid} is not valid before ${notBefore.toISOString()}.`);
  if (notAfter <= now) problems.push(`Certificate ${uuid} expired at ${notAfter.toISOString()}.`);
  return problems;
}

/** Returns why this certificate cannot be used to sign in now, or undefined if it can. */
export function rejectionOfCertificate(certificate: UserCertificate, now: Date): string | undefined {
  if (certificate.revoked) return 'the client certificate is revoked';
  if (certificate.state !== 'issued') return `the client certificate is ${certificate.state}`;
  if (certificate.notBefore > now) return 'the client certificate is not valid yet';
  if (certificate.notAfter <= now) return 'the client certificate has expired';
  return undefined;
}
