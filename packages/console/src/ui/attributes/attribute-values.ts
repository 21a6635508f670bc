// Converts definitions and stored values to field states, and field states to requests. Pure.
import type {
  AttributeContentType,
  BaseAttributeDto,
  CustomAttribute,
  DataAttribute,
  RequestAttributeDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import { toCanonicalJson, fromBase64, textMember, toBase64, type ContentItem } from './attribute-content.ts';
import { localDateTime, readText } from './attribute-text.ts';

/** Attributes that users fill in. The other types are info texts, metadata, and groups of further attributes. */
export type FieldDefinition = DataAttribute | CustomAttribute;

export interface FileValue {
  /** Base64. Empty for a stored key store, which the platform never returns; send it back unchanged to keep it. */
  readonly content: string;
  readonly fileName: string;
  readonly mimeType: string;
}

/** State of a field during editing, by control type. */
export type FieldState =
  | { readonly control: 'text'; readonly text: string }
  | { readonly control: 'boolean'; readonly value: boolean | undefined }
  /**
   * `kept`: placeholder for a stored secret, which the platform never returns; send it back unchanged to keep the
   * secret.
   */
  | { readonly control: 'secret'; readonly text: string; readonly kept: ContentItem | undefined }
  | { readonly control: 'file'; readonly file: FileValue | undefined }
  | { readonly control: 'code'; readonly language: string; readonly code: string }
  | { readonly control: 'choice'; readonly chosen: readonly ContentItem[] }
  /** Any number of entered values, for a list without choices. */
  | { readonly control: 'many'; readonly entries: readonly Entry[] }
  /** Not editable here: read-only, hidden, or of a type that has no control yet. */
  | { readonly control: 'fixed'; readonly items: readonly ContentItem[] };

/** One of multiple values. */
export interface Entry {
  /** Identifies the entry while entries are reordered. */
  readonly key: string;
  readonly state: FieldState;
  /** The initial item. If the entry is not changed, it is sent as is, including its display text. */
  readonly item: ContentItem | undefined;
}

/** Values of an existing object; absent for a new one, which starts with the defaults. */
export type PresentValues = readonly Pick<ResponseAttributeDto, 'name' | 'uuid' | 'contentType' | 'content'>[];

export const isField = (definition: BaseAttributeDto): definition is FieldDefinition =>
  definition.type === 'data' || definition.type === 'custom';

export const isShown = (definition: BaseAttributeDto): boolean =>
  definition.type === 'group' || (definition.type !== 'meta' && definition.properties.visible);

/** Returns whether the choices of a list are loaded by a callback that depends on other fields. */
export const waitsForOthers = (definition: BaseAttributeDto): boolean =>
  definition.type === 'group' ||
  (definition.type === 'data' &&
    definition.properties.list &&
    (definition.content ?? []).length === 0 &&
    definition.attributeCallback !== undefined);

export function startState(definition: FieldDefinition, present: PresentValues | undefined): FieldState {
  const stored = present?.find(({ name }) => name === definition.name)?.content;
  const items: readonly ContentItem[] = stored ?? (present === undefined ? presetOf(definition) : []);
  const { properties, content = [] } = definition;
  // For read-only attributes, the defined value is sent regardless of the stored one.
  if (properties.readOnly) return { control: 'fixed', items: content };
  if (!properties.visible) return { control: 'fixed', items };
  if (!properties.list || (isEntered(definition) && !properties.multiSelect))
    return stateOfItem(definition.contentType, items[0]);
  if (isEntered(definition))
    return { control: 'many', entries: items.map((item, place) => entryOf(definition, { key: String(place), item })) };
  return { control: 'choice', chosen: properties.multiSelect ? items : items.slice(0, 1) };
}

/**
 * Returns whether a list's values are typed in: the definition has no choices, and neither a callback nor credentials
 * provide any.
 */
const isEntered = (definition: FieldDefinition): boolean =>
  (definition.content ?? []).length === 0 && !waitsForOthers(definition) && definition.contentType !== 'credential';

/** Creates an empty entry, or one for an existing item. */
export function entryOf(
  { contentType }: FieldDefinition,
  { key, item }: { readonly key: string; readonly item?: ContentItem | undefined },
): Entry {
  const state = stateOfItem(contentType, item);
  // An entry always has a value, so an unchecked checkbox that was never touched means false.
  return { key, item, state: state.control === 'boolean' ? { ...state, value: state.value ?? false } : state };
}

/** Returns the initial value for a new object: the default, or the only choice of a required list. */
function presetOf({ properties, content = [] }: FieldDefinition): readonly ContentItem[] {
  if (!properties.list) return content;
  return properties.required && content.length === 1 ? content : [];
}

function stateOfItem(contentType: AttributeContentType, item: ContentItem | undefined): FieldState {
  const data = item?.data;
  switch (contentType) {
    case 'boolean':
      return { control: 'boolean', value: typeof data === 'boolean' ? data : undefined };
    case 'secret':
      return {
        control: 'secret',
        text: textMember(data, 'secret'),
        kept: textMember(data, 'secret') ? undefined : item,
      };
    case 'file':
      return { control: 'file', file: fileOf(data) };
    case 'codeblock':
      return { control: 'code', language: textMember(data, 'language'), code: fromBase64(textMember(data, 'code')) };
    case 'credential':
      return { control: 'fixed', items: item ? [item] : [] };
    case 'datetime':
      return { control: 'text', text: localDateTime(data) };
    case 'object':
      return { control: 'text', text: data === undefined || data === null ? '' : JSON.stringify(data, undefined, 2) };
    default:
      return { control: 'text', text: data === undefined || data === null ? '' : String(data) };
  }
}

function fileOf(data: unknown): FileValue | undefined {
  const [content, fileName] = [textMember(data, 'content'), textMember(data, 'fileName')];
  if (content === '' && fileName === '') return undefined;
  return { content, fileName, mimeType: textMember(data, 'mimeType') };
}

/** A field's items, or its error. */
export type ReadState =
  { readonly items: readonly ContentItem[]; readonly problem?: never } | { readonly problem: string };

const nothing: ReadState = { items: [] };

export function readState(definition: FieldDefinition, state: FieldState): ReadState {
  switch (state.control) {
    case 'fixed':
      return { items: state.items };
    case 'choice':
      return { items: state.chosen };
    case 'boolean':
      return readBoolean(definition, state.value);
    case 'secret':
      if (state.text !== '') return { items: [{ data: { secret: state.text } }] };
      return state.kept ? { items: [state.kept] } : nothing;
    case 'file':
      return state.file ? { items: [{ data: state.file }] } : nothing;
    case 'code':
      return readCode(state);
    case 'many':
      return readMany(definition, state.entries);
    case 'text': {
      if (state.text.trim() === '') return nothing;
      const read = readText(definition.contentType, state.text);
      return 'problem' in read ? read : { items: [{ data: read.data }] };
    }
  }
}

/** Empty entries are ignored. */
function readMany(definition: FieldDefinition, entries: readonly Entry[]): ReadState {
  const items: ContentItem[] = [];
  for (const entry of entries) {
    const read = readEntry(definition, entry);
    if (read.problem !== undefined) return read;
    items.push(...read.items);
  }
  return { items };
}

export function readEntry(definition: FieldDefinition, { state, item }: Entry): ReadState {
  const isUntouched = item !== undefined && isSameState(state, stateOfItem(definition.contentType, item));
  return isUntouched ? { items: [item] } : readState(definition, state);
}

/** An untouched checkbox is false if a value is required; otherwise, it has no value. */
function readBoolean({ properties }: FieldDefinition, value: boolean | undefined): ReadState {
  if (value === undefined && !properties.required) return nothing;
  return { items: [{ data: value ?? false }] };
}

function readCode({ language, code }: { readonly language: string; readonly code: string }): ReadState {
  if (code.trim() === '') return nothing;
  return language === ''
    ? { problem: 'Choose a language.' }
    : { items: [{ data: { language, code: toBase64(code) } }] };
}

export const isSameState = (one: FieldState, other: FieldState): boolean =>
  toCanonicalJson(one) === toCanonicalJson(other);

export interface AttributeInput {
  readonly definitions: readonly BaseAttributeDto[];
  readonly present: PresentValues | undefined;
  readonly stateOf: (definition: FieldDefinition) => FieldState;
}

/**
 * Builds the attributes to send. Removed values are sent as empty content because an update may leave unsent values
 * unchanged. Values of attributes in unexpanded groups are not shown here and are sent back unchanged.
 */
export function requestOf({ definitions, present = [], stateOf }: AttributeInput): RequestAttributeDto[] {
  const requested = definitions.filter(isField).flatMap((definition): RequestAttributeDto[] => {
    const { uuid, name, contentType } = definition;
    const read = readState(definition, stateOf(definition));
    if (read.problem !== undefined) return [];
    const had = present.some((value) => value.name === name && (value.content ?? []).length > 0);
    return read.items.length > 0 || had ? [{ uuid, name, contentType, content: [...read.items] }] : [];
  });
  return [...requested, ...valuesOfGroups(definitions, present)];
}

function valuesOfGroups(definitions: readonly BaseAttributeDto[], present: PresentValues): RequestAttributeDto[] {
  if (!definitions.some(({ type }) => type === 'group')) return [];
  return present
    .filter(({ name }) => !definitions.some((definition) => definition.name === name))
    .map(({ uuid = '', name, contentType, content = [] }) => ({ uuid, name, contentType, content }));
}

export interface AttributeSection {
  /** Absent for definitions without a heading. */
  readonly title: string | undefined;
  readonly definitions: readonly BaseAttributeDto[];
}

/** Groups visible definitions by heading, in order of first occurrence. */
export function sectionsOf(definitions: readonly BaseAttributeDto[]): readonly AttributeSection[] {
  const sections = new Map<string | undefined, BaseAttributeDto[]>();
  for (const definition of definitions) {
    if (!isShown(definition)) continue;
    const title = definition.type === 'group' ? undefined : definition.properties.group;
    const section = sections.get(title);
    if (section) section.push(definition);
    else sections.set(title, [definition]);
  }
  return [...sections].map(([title, list]) => ({ title, definitions: list }));
}

export const addEntry = (entries: readonly Entry[], entry: Entry): readonly Entry[] => [...entries, entry];

export const removeEntry = (entries: readonly Entry[], place: number): readonly Entry[] => entries.toSpliced(place, 1);

/** Moves an entry up (-1) or down (1). Returns the entries unchanged if it is already at that end. */
export function moveEntry(entries: readonly Entry[], place: number, by: -1 | 1): readonly Entry[] {
  const entry = entries[place];
  const to = place + by;
  if (!entry || to < 0 || to >= entries.length) return entries;
  return entries.toSpliced(place, 1).toSpliced(to, 0, entry);
}

/**
 * Stored secrets are not returned, and the platform identifies them by position, so a secret and all entries above it
 * cannot move.
 */
export const isFixedPosition = (entries: readonly Entry[], place: number): boolean =>
  entries.slice(place).some(({ item, state }) => item !== undefined && state.control === 'secret');
