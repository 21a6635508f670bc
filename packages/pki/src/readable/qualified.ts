// Qualified certificate statements (RFC 3739 §3.2.6) defined in ETSI EN 319 412-5 and TS 119 495.
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
import { DerError } from '../errors.ts';
import { labeledNames } from './general-names.ts';
import { readGeneralNames } from '../x509/general-names.ts';
import { TAG } from '../der/tags.ts';

type Statement = (info: DerElement | undefined) => Omit<ReadableValue, 'oid'>;

/** Returns a reader for a statement whose presence alone conveys its meaning. */
const presenceStatement =
  (label: string): Statement =>
  () => ({ label });

const STATEMENTS: ReadonlyMap<string, Statement> = new Map<string, Statement>([
  ['0.4.0.1862.1.1', presenceStatement('EU qualified certificate')],
  ['0.4.0.1862.1.2', (info) => textValue('Transaction value limit (QcLimitValue)', readAmount(info))],
  [
    '0.4.0.1862.1.3',
    (info) => textValue('Retention period (QcRetentionPeriod)', years(readSmallInteger(requireInfo(info)))),
  ],
  ['0.4.0.1862.1.4', presenceStatement('Private key in a qualified signature or seal creation device (QSCD)')],
  ['0.4.0.1862.1.5', (info) => groupValue('PKI disclosure statements (QcPDS)', readList(info, readDisclosure))],
  [
    '0.4.0.1862.1.6',
    (info) =>
      groupValue(
        'Purpose',
        readList(info, (type) => oidValue('Type', readOid(type))),
      ),
  ],
  [
    '0.4.0.1862.1.7',
    (info) =>
      groupValue(
        'Legislation',
        readList(info, (code) => textValue('Country', textOf(code))),
      ),
  ],
  ['0.4.0.19495.2', (info) => groupValue('Payment service provider (PSD2)', readPaymentServices(requireInfo(info)))],
  ['1.3.6.1.5.5.7.11.1', (info) => semantics('Name semantics, version 1', info)],
  ['1.3.6.1.5.5.7.11.2', (info) => semantics('Name semantics', info)],
]);

export const readableStatements = (value: Uint8Array): ReadableValue[] =>
  readEach(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const oid = readOid(cursor.next());
    const info = cursor.atEnd ? undefined : cursor.next();
    cursor.finish();
    const statement = STATEMENTS.get(oid);
    if (statement !== undefined) return { ...statement(info), oid };
    return info === undefined ? { label: 'Statement', oid } : { ...hexValue('Statement', elementBytes(info)), oid };
  });

function requireInfo(info: DerElement | undefined): DerElement {
  if (info === undefined) throw new DerError('missing-element', 0);
  return info;
}

const readList = (info: DerElement | undefined, read: (element: DerElement) => ReadableValue): ReadableValue[] =>
  readRemaining(openElement(requireInfo(info), TAG.sequence), read);

const years = (count: number): string => (count === 1 ? '1 year' : `${count} years`);

/** Reads a MonetaryValue: a currency as an ISO 4217 code or number, and amount * 10^exponent. */
function readAmount(info: DerElement | undefined): string {
  const cursor = openElement(requireInfo(info), TAG.sequence);
  const currency = cursor.next();
  const amount = readSmallInteger(cursor.next());
  const exponent = readSmallInteger(cursor.next());
  cursor.finish();
  const unit = currency.tag === TAG.integer ? String(readSmallInteger(currency)) : textOf(currency);
  // Amounts are written out as long as they are readable.
  return exponent >= 0 && exponent <= 12
    ? `${amount}${'0'.repeat(amount === 0 ? 0 : exponent)} ${unit}`
    : `${amount} × 10^${exponent} ${unit}`;
}

/** Reads a PdsLocation: a URL and an ISO 639-1 language code. */
function readDisclosure(element: DerElement): ReadableValue {
  const cursor = openElement(element, TAG.sequence);
  const url = textOf(cursor.next());
  const language = textOf(cursor.next());
  cursor.finish();
  return { ...uriValue('Statement', url), members: [textValue('Language', language)] };
}

/** Reads SemanticsInformation (RFC 3739 §3.2.6.1). */
function semantics(label: string, info: DerElement | undefined): ReadableValue {
  if (info === undefined) return { label };
  const cursor = openElement(info, TAG.sequence);
  const identifier = cursor.optional(TAG.oid);
  const authorities = cursor.optional(TAG.sequence);
  cursor.finish();
  return groupValue(label, [
    ...(identifier ? [oidValue('Meaning', readOid(identifier))] : []),
    ...(authorities ? [labeledNames('Name registration authority', readGeneralNames(authorities))] : []),
  ]);
}

/** Reads a PSD2QcType (ETSI TS 119 495 §5.1): roles, and the authority that granted them. */
function readPaymentServices(info: DerElement): ReadableValue[] {
  const cursor = openElement(info, TAG.sequence);
  const roles = readRemaining(cursor.open(TAG.sequence), (element) => {
    const role = openElement(element, TAG.sequence);
    const value = oidValue('Role', readOid(role.next()));
    const code = textOf(role.next());
    role.finish();
    return value.text === value.oid ? { ...value, text: code } : value;
  });
  const authority = textValue('Competent authority', textOf(cursor.next()));
  const identifier = textValue('Authority identifier', textOf(cursor.next()));
  cursor.finish();
  return [...roles, authority, identifier];
}
