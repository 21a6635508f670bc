// Typed values from a call's attributes. A missing or empty attribute is `undefined`; a value of the wrong type is
// rejected as a caller error that names the attribute.
import { CredentialAttributeContentData, ProgrammingLanguageEnum, type AttributeContentType } from '@signetry/contract';
import { rejected } from '../connector-error.ts';
import { isObject } from '../is-object.ts';
import type { ContentValues, TypedAttribute } from './define-attributes.ts';

/** Values sent with a call. Also accepts definitions with content, as returned with stored objects. */
export type AttributeValues = readonly {
  readonly name: string;
  readonly content?: readonly { readonly data?: unknown }[] | undefined;
}[];

export interface FileContent {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mimeType: string;
}

export interface CodeContent {
  readonly language: ProgrammingLanguageEnum;
  readonly source: string;
}

/** Type of the value read from each content type. */
export interface ReadValues {
  string: string;
  text: string;
  integer: number;
  float: number;
  boolean: boolean;
  date: string;
  time: string;
  datetime: Date;
  secret: string;
  file: FileContent;
  credential: ContentValues['credential'];
  codeblock: CodeContent;
  object: unknown;
}

type Reader<Type extends AttributeContentType> = (
  attributes: AttributeValues,
  name: string,
) => ReadValues[Type] | undefined;

/** Returns the value of a defined attribute, typed by its content type. */
export function readValue<Type extends AttributeContentType>(
  attributes: AttributeValues,
  { name, contentType }: Pick<TypedAttribute<Type>, 'name' | 'contentType'>,
): ReadValues[Type] | undefined {
  const read: Reader<Type> = readers[contentType];
  return read(attributes, name);
}

/** Returns the data of all of an attribute's items. */
export function readAll(attributes: AttributeValues, name: string): readonly unknown[] {
  const attribute = attributes.find((candidate) => candidate.name === name);
  return attribute?.content?.map((entry) => entry.data).filter((data) => data !== undefined && data !== null) ?? [];
}

const readFirst = (attributes: AttributeValues, name: string): unknown => readAll(attributes, name)[0];

/** Returns a string or text. A blank value counts as absent, because forms also send blank fields. */
export function readString(attributes: AttributeValues, name: string): string | undefined {
  return readStrings(attributes, name)[0];
}

export function readStrings(attributes: AttributeValues, name: string): readonly string[] {
  return readAll(attributes, name)
    .map((data) => (typeof data === 'string' ? data.trim() : rejectType(name, 'text')))
    .filter((text) => text !== '');
}

export function readInteger(attributes: AttributeValues, name: string): number | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  return typeof data === 'number' && Number.isInteger(data) ? data : rejectType(name, 'an integer');
}

export function readNumber(attributes: AttributeValues, name: string): number | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  return typeof data === 'number' ? data : rejectType(name, 'a number');
}

export function readBoolean(attributes: AttributeValues, name: string): boolean | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  return typeof data === 'boolean' ? data : rejectType(name, 'true or false');
}

/** Returns a date, or a date and time; in UTC if the value has no offset. */
export function readDateTime(attributes: AttributeValues, name: string): Date | undefined {
  const text = readString(attributes, name);
  if (text === undefined) return undefined;
  const instant = parseDateTime(text);
  return instant ?? rejectType(name, 'a date and time');
}

export function parseDateTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const instant = new Date(text.length === 10 || hasOffset ? text : `${text}Z`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** Returns the plaintext of a secret. */
export function readSecret(attributes: AttributeValues, name: string): string | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  if (!isObject(data) || !('secret' in data)) return undefined;
  return typeof data.secret === 'string' ? data.secret : rejectType(name, 'a secret');
}

export function readFile(attributes: AttributeValues, name: string): FileContent | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  if (!isObject(data) || !('content' in data) || typeof data.content !== 'string') {
    return rejectType(name, 'a file');
  }
  const bytes = new Uint8Array(Buffer.from(data.content, 'base64'));
  if (bytes.length === 0) return undefined;
  return { bytes, fileName: textMember(data, 'fileName'), mimeType: textMember(data, 'mimeType') };
}

/** Returns a date in the form `yyyy-MM-dd`. */
export const readDate = (attributes: AttributeValues, name: string): string | undefined =>
  readFormatted(attributes, name, { form: /^\d{4}-\d\d-\d\d$/, expected: 'a date in the format yyyy-MM-dd' });

/** Returns a time of day in the form `HH:mm:ss`. */
export const readTime = (attributes: AttributeValues, name: string): string | undefined =>
  readFormatted(attributes, name, {
    form: /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/,
    expected: 'a time in the format HH:mm:ss',
  });

function readFormatted(
  attributes: AttributeValues,
  name: string,
  { form, expected }: { readonly form: RegExp; readonly expected: string },
): string | undefined {
  const text = readString(attributes, name);
  return text === undefined || form.test(text) ? text : rejectType(name, expected);
}

/**
 * Returns a full credential, including its secrets: platforms send it in place of the reference that their users
 * choose.
 */
export function readCredential(attributes: AttributeValues, name: string): ContentValues['credential'] | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  const outcome = CredentialAttributeContentData.safeParse(data);
  return outcome.success ? outcome.data : rejectType(name, 'a credential');
}

/** Returns decoded source text. */
export function readCodeBlock(attributes: AttributeValues, name: string): CodeContent | undefined {
  const data = readFirst(attributes, name);
  if (data === undefined) return undefined;
  const language = isObject(data) && 'language' in data ? ProgrammingLanguageEnum.safeParse(data.language) : undefined;
  if (!isObject(data) || !language?.success || !('code' in data) || typeof data.code !== 'string')
    return rejectType(name, 'a code block with its language');
  return { language: language.data, source: Buffer.from(data.code, 'base64').toString('utf8') };
}

const readers: { readonly [Type in AttributeContentType]: Reader<Type> } = {
  string: readString,
  text: readString,
  integer: readInteger,
  float: readNumber,
  boolean: readBoolean,
  date: readDate,
  time: readTime,
  datetime: readDateTime,
  secret: readSecret,
  file: readFile,
  credential: readCredential,
  codeblock: readCodeBlock,
  object: readFirst,
};

const textMember = (holder: object, member: string): string => {
  const value: unknown = Reflect.get(holder, member);
  return typeof value === 'string' ? value : '';
};

function rejectType(name: string, expected: string): never {
  throw rejected(`Attribute "${name}" must be ${expected}.`);
}
