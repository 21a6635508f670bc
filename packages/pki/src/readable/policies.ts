// Certificate policies with their qualifiers (RFC 5280 §4.2.1.4), policy mappings and policy constraints. Microsoft
// application policies have the same syntax.
import { elementBytes, openElement, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import {
  readRemaining,
  readEach,
  groupValue,
  hexValue,
  oidValue,
  textValue,
  textOf,
  uriValue,
  type ReadableValue,
} from './value.ts';
import { OID } from '../oids.ts';
import { readInhibitAnyPolicy, readPolicyConstraints, readPolicyMappings } from '../x509/extensions.ts';
import { TAG } from '../der/tags.ts';

export const readablePolicies = (value: Uint8Array): ReadableValue[] => readEach(value, readPolicy);

function readPolicy(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const policy = oidValue('Policy', readOid(cursor.next()));
  if (cursor.atEnd) return policy;
  const qualifiers = cursor.open(TAG.sequence);
  cursor.finish();
  return { ...policy, members: readRemaining(qualifiers, readQualifier) };
}

function readQualifier(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const content = cursor.next();
  cursor.finish();
  if (type === OID.cpsQualifier) return uriValue('Certification practice statement', textOf(content));
  if (type === OID.userNoticeQualifier) return readUserNotice(content);
  return { ...hexValue('Qualifier', elementBytes(content)), oid: type };
}

/** Reads a UserNotice: a reference to an organization's notice and an explicit text, both optional. */
function readUserNotice(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const members: ReadableValue[] = [];
  const reference = cursor.optional(TAG.sequence);
  if (reference !== undefined) {
    const parts = openElement(reference, TAG.sequence);
    members.push(textValue('Organization', textOf(parts.next())));
    const numbers = readRemaining(parts.open(TAG.sequence), (number) =>
      textValue('Notice', String(readSmallInteger(number))),
    );
    parts.finish();
    members.push(textValue('Notice numbers', numbers.map(({ text }) => text).join(', ')));
  }
  if (!cursor.atEnd) members.push(textValue('Text', textOf(cursor.next())));
  cursor.finish();
  return groupValue('User notice', members);
}

export const readableMappings = (value: Uint8Array): ReadableValue[] =>
  readPolicyMappings(value).map(({ issuerDomainPolicy, subjectDomainPolicy }) =>
    groupValue('Mapping', [
      oidValue('Issuer domain policy', issuerDomainPolicy),
      oidValue('Subject domain policy', subjectDomainPolicy),
    ]),
  );

export function readablePolicyConstraints(value: Uint8Array): ReadableValue[] {
  const { requireExplicitPolicy, inhibitPolicyMapping } = readPolicyConstraints(value);
  return [
    ...(requireExplicitPolicy === undefined ? [] : [describeSkip('Explicit policy required', requireExplicitPolicy)]),
    ...(inhibitPolicyMapping === undefined ? [] : [describeSkip('Policy mapping inhibited', inhibitPolicyMapping)]),
  ];
}

export const readableInhibitAnyPolicy = (value: Uint8Array): ReadableValue[] => [
  describeSkip('anyPolicy inhibited', readInhibitAnyPolicy(value)),
];

const describeSkip = (label: string, certificates: number): ReadableValue =>
  textValue(
    label,
    certificates === 0
      ? 'immediately'
      : certificates === 1
        ? 'after one more certificate'
        : `after ${certificates} more certificates`,
  );
