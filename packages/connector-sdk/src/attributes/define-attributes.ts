// Builders for attribute definitions. They derive dependent members and reject, at startup, definitions that platforms
// would reject later.
import type {
  AttributeCallback,
  AttributeContentType,
  BaseAttributeConstraintDto,
  BaseAttributeContentDto,
  BaseAttributeDto,
  DataAttribute,
  GroupAttribute,
  InfoAttribute,
  MetadataAttribute,
  ProgrammingLanguageEnum,
} from '@signetry/contract';
import { isObject } from '../is-object.ts';
import { definitionProblems } from './check-definition.ts';

/** Type of an item's data, by content type. */
export interface ContentValues {
  string: string;
  text: string;
  integer: number;
  float: number;
  boolean: boolean;
  date: string;
  time: string;
  datetime: string;
  secret: { secret?: string; protectionLevel?: string };
  file: { content: string; fileName: string; mimeType: string };
  credential: { uuid: string; name: string; kind: string; attributes: DataAttribute[] };
  /** `code` is Base64; see `codeBlock`. */
  codeblock: { language: ProgrammingLanguageEnum; code: string };
  object: unknown;
}

type Constraint<Kind extends BaseAttributeConstraintDto['type']> = Extract<BaseAttributeConstraintDto, { type: Kind }>;

/** Constraints that a content type can have. */
type ConstraintOf<Type extends AttributeContentType> = Type extends 'string'
  ? Constraint<'regExp'>
  : Type extends 'integer' | 'float'
    ? Constraint<'range'>
    : Type extends 'datetime'
      ? Constraint<'dateTime'>
      : never;

/** A definition whose content type the compiler knows, so that `readValue` returns a typed value. */
export type TypedAttribute<Type extends AttributeContentType> = DataAttribute & { readonly contentType: Type };

interface Named {
  /** Must never change: platforms store values under this UUID. */
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  /** Heading under which a form shows the field. */
  readonly group?: string;
  readonly visible?: boolean;
}

export interface DataAttributeFacts<Type extends AttributeContentType> extends Named {
  readonly contentType: Type;
  readonly required?: boolean;
  /** Fixed content that callers return unchanged; requires `content`. */
  readonly readOnly?: boolean;
  /** Initial value in a form. */
  readonly content?: ContentValues[Type];
  /** Values to choose from; makes the attribute a list. If empty, the callback supplies the values. */
  readonly choices?: readonly Choice<Type>[];
  /** Whether multiple choices can be selected. */
  readonly multiSelect?: boolean;
  readonly constraints?: readonly ConstraintOf<Type>[];
  readonly callback?: AttributeCallback;
}

/** A choice: its value, and its display text if different. */
export type Choice<Type extends AttributeContentType> =
  ContentValues[Type] | { readonly reference: string; readonly data: ContentValues[Type] };

export function dataAttribute<Type extends AttributeContentType>(
  facts: DataAttributeFacts<Type>,
): TypedAttribute<Type> {
  const { choices, content } = facts;
  if (choices && content !== undefined)
    throw new Error(`The attribute ${facts.name} must not have both choices and content.`);
  const items = choices ? choices.map(choiceItem) : content === undefined ? undefined : [item(content)];
  return assertWellFormed({
    version: 2,
    ...identity(facts),
    type: 'data',
    contentType: facts.contentType,
    ...(items ? { content: items } : {}),
    properties: {
      ...displayProperties(facts),
      required: facts.required ?? false,
      readOnly: facts.readOnly ?? false,
      list: choices !== undefined,
      multiSelect: facts.multiSelect ?? false,
    },
    ...(facts.constraints ? { constraints: [...facts.constraints] } : {}),
    ...(facts.callback ? { attributeCallback: facts.callback } : {}),
  });
}

/** Markdown text shown in a form, e.g. to explain the form's purpose. */
export const infoAttribute = (facts: Named & { readonly text: string }): InfoAttribute =>
  assertWellFormed({
    version: 2,
    ...identity(facts),
    type: 'info',
    contentType: 'text',
    content: [{ data: facts.text }],
    properties: displayProperties(facts),
  });

/** A placeholder for further attributes, which the callback returns once the values that it depends on are known. */
export const groupAttribute = (
  facts: Pick<Named, 'uuid' | 'name' | 'description'> & {
    readonly callback: AttributeCallback;
    /** All attributes that the callback can return, so that platforms know them before it is called. */
    readonly content?: readonly BaseAttributeDto[];
  },
): GroupAttribute =>
  assertWellFormed({
    version: 2,
    ...identity(facts),
    type: 'group',
    ...(facts.content ? { content: [...facts.content] } : {}),
    attributeCallback: facts.callback,
  });

export interface MetadataAttributeFacts<Type extends AttributeContentType> extends Named {
  readonly contentType: Type;
  readonly content: readonly ContentValues[Type][];
  /** Whether the attribute is shared by all connectors that use the same name. */
  readonly global?: boolean;
  /** Whether a new value replaces the existing ones; otherwise it is added. */
  readonly overwrite?: boolean;
}

/** Metadata returned with a result. */
export const metadataAttribute = <Type extends AttributeContentType>(
  facts: MetadataAttributeFacts<Type>,
): MetadataAttribute =>
  assertWellFormed({
    version: 2,
    ...identity(facts),
    type: 'meta',
    contentType: facts.contentType,
    content: facts.content.map(item),
    properties: { ...displayProperties(facts), global: facts.global ?? false, overwrite: facts.overwrite ?? false },
  });

/** Encodes source text in the format of the content type `codeblock`. */
export const codeBlock = (language: ProgrammingLanguageEnum, source: string): ContentValues['codeblock'] => ({
  language,
  code: Buffer.from(source).toString('base64'),
});

// ---- constraints ----

/** A regular expression that must match the whole text. Use only syntax that has the same meaning in every engine. */
export const matching = (pattern: string, errorMessage?: string): Constraint<'regExp'> => ({
  type: 'regExp',
  data: pattern,
  ...(errorMessage ? { errorMessage } : {}),
});

/** Inclusive bounds of a number. */
export const inRange = (
  bounds: { readonly from?: number; readonly to?: number },
  errorMessage?: string,
): Constraint<'range'> => ({ type: 'range', data: bounds, ...(errorMessage ? { errorMessage } : {}) });

/** Inclusive bounds of a time. */
export const inTimeRange = (
  bounds: { readonly from?: string; readonly to?: string },
  errorMessage?: string,
): Constraint<'dateTime'> => ({ type: 'dateTime', data: bounds, ...(errorMessage ? { errorMessage } : {}) });

// ---- parts ----

const identity = ({ uuid, name, description }: Pick<Named, 'uuid' | 'name' | 'description'>) => ({
  uuid,
  name,
  ...(description ? { description } : {}),
});

const displayProperties = ({ label, group, visible }: Named) => ({
  label,
  visible: visible ?? true,
  ...(group ? { group } : {}),
});

// The content type determines the type of `data`.
const item = (data: unknown): BaseAttributeContentDto => ({ data }) as BaseAttributeContentDto;

const choiceItem = (choice: unknown): BaseAttributeContentDto =>
  isObject(choice) && 'data' in choice && 'reference' in choice
    ? (choice as BaseAttributeContentDto) // The choice is already an item.
    : { reference: String(choice), ...item(choice) };

/** Definitions that every platform would reject are programming errors: the connector does not start. */
function assertWellFormed<Definition extends BaseAttributeDto>(definition: Definition): Definition {
  const problems = definitionProblems(definition);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return definition;
}
