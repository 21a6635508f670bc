// Certificate policies with their qualifiers (RFC 5280 §4.2.1.4), policy mappings and policy constraints. Microsoft
// application policies have the same syntax.
import { elementBytes, openElement, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import { eachIn, eachOf, group, hexOf, identified, plain, textOf, uri, type ReadableValue } from './value.ts';
import { OID } from '../oids.ts';
import { readInhibitAnyPolicy, readPolicyConstraints, readPolicyMappings } from '../x509/extensions.ts';
import { TAG } from '../der/tags.ts';

export const readablePolicies = (value: Uint8Array): ReadableValue[] => eachOf(value, readPolicy);

function readPolicy(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const policy = identified('Policy', readOid(cursor.next()));
  if (cursor.atEnd) return policy;
  const qualifiers = cursor.open(TAG.sequence);
  cursor.finish();
  return { ...policy, members: eachIn(qualifiers, readQualifier) };
}

function readQualifier(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const content = cursor.next();
  cursor.finish();
  if (type === OID.cpsQualifier) return uri('Certification practice statement', textOf(content));
  if (type === OID.userNoticeQualifier) return readUserNotice(content);
  return { ...hexOf('Qualifier', elementBytes(content)), oid: type };
}

/** Reads a UserNotice: a reference to an organization's notice and an explicit text, both optional. */
function readUserNotice(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const members: ReadableValue[] = [];
  const reference = cursor.optional(TAG.sequence);
  if (reference !== undefined) {
    const parts = openElement(reference, TAG.sequence);
    members.push(plain('Organization', textOf(parts.next())));
    const numbers = eachIn(parts.open(TAG.sequence), (number) => plain('Notice', String(readSmallInteger(number))));
    parts.finish();
    members.push(plain('Notice numbers', numbers.map(({ text }) => text).join(', ')));
  }
  if (!cursor.atEnd) members.push(plain('Text', textOf(cursor.next())));
  cursor.finish();
  return group('User notice', members);
}

export const readableMappings = (value: Uint8Array): ReadableValue[] =>
  readPolicyMappings(value).map(({ issuerDomainPolicy, subjectDomainPolicy }) =>
    group('Mapping', [
      identified('Issuer domain policy', issuerDomainPolicy),
      identified('Subject domain policy', subjectDomainPolicy),
    ]),
  );

export function readablePolicyConstraints(value: Uint8Array): ReadableValue[] {
  const { requireExplicitPolicy, inhibitPolicyMapping } = readPolicyConstraints(value);
  return [
    ...(requireExplicitPolicy === undefined ? [] : [after('Explicit policy required', requireExplicitPolicy)]),
    ...(inhibitPolicyMapping === undefined ? [] : [after('Policy mapping inhibited', inhibitPolicyMapping)]),
  ];
}

export const readableInhibitAnyPolicy = (value: Uint8Array): ReadableValue[] => [
  after('anyPolicy inhibited', readInhibitAnyPolicy(value)),
];

const after = (label: string, certificates: number): ReadableValue =>
  plain(
    label,
    certificates === 0
      ? 'immediately'
      : certificates === 1
        ? 'after one more certificate'
        : `after ${certificates} more certificates`,
  );
