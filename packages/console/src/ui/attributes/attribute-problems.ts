// Validation errors for fields, found here immediately or later by the platform. Pure.
import { linearPattern } from '@signetry/connector-sdk/pattern';
import type { BaseAttributeConstraintDto } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import type { ContentItem } from './attribute-content.ts';
import {
  readEntry,
  readState,
  waitsForOthers,
  type Entry,
  type FieldDefinition,
  type FieldState,
} from './attribute-values.ts';

/** Returns the error in one sentence; undefined if the value is valid. */
export function problemOf(definition: FieldDefinition, state: FieldState): string | undefined {
  // The user cannot correct it here; the platform validates it.
  if (state.control === 'fixed' || waitsForOthers(definition)) return undefined;
  const read = readState(definition, state);
  if (read.problem !== undefined) return read.problem;
  if (read.items.length === 0) return definition.properties.required ? describeMissing(definition) : undefined;
  return read.items.map((item) => violation(definition, item)).find((problem) => problem !== undefined);
}

/** Returns the error of one of multiple values. */
export function problemOfEntry(definition: FieldDefinition, entry: Entry): string | undefined {
  const read = readEntry(definition, entry);
  if (read.problem !== undefined) return read.problem;
  return read.items.map((item) => violation(definition, item)).find((problem) => problem !== undefined);
}

/** A stored secret's value is unknown here, so only newly entered secrets are checked. */
function violation(definition: FieldDefinition, item: ContentItem): string | undefined {
  const constraints = definition.type === 'data' ? (definition.constraints ?? []) : [];
  const violated = constraints.find((constraint) => violates(constraint, item));
  return violated && describeConstraint(violated);
}

function describeMissing({ properties, contentType, content = [] }: FieldDefinition): string {
  if (properties.list && content.length > 0) return 'Choose one.';
  if (properties.multiSelect) return 'Add a value.';
  return contentType === 'file' ? 'Choose a file.' : 'A value is required.';
}

function violates(constraint: BaseAttributeConstraintDto, { data }: ContentItem): boolean {
  switch (constraint.type) {
    case 'regExp':
      return typeof data === 'string' && constraint.data !== undefined && !matches(constraint.data, data);
    case 'range':
      return typeof data === 'number' && isOutside(data, constraint.data ?? {});
    case 'dateTime': {
      const { from, to } = constraint.data ?? {};
      const bounds = {
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
      };
      return typeof data === 'string' && isOutside(Date.parse(data), bounds);
    }
  }
}

/**
 * Patterns come from connectors, so the engine must run in linear time. Patterns that it does not support are left to
 * the connector.
 */
function matches(pattern: string, text: string): boolean {
  try {
    return linearPattern(pattern).matches(text);
  } catch {
    return true;
  }
}

const isOutside = (value: number, { from, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  (from !== undefined && value < from) || (to !== undefined && value > to);

function describeConstraint(constraint: BaseAttributeConstraintDto): string {
  if (constraint.errorMessage) return toSentence(constraint.errorMessage);
  switch (constraint.type) {
    case 'regExp':
      return constraint.description ? toSentence(constraint.description) : `It must match ${constraint.data ?? ''}`;
    case 'range':
      return `It must be ${describeBounds(constraint.data ?? {}, { least: 'at least', most: 'at most', words: String })}.`;
    case 'dateTime':
      return `It must be ${describeBounds(constraint.data ?? {}, { least: 'no earlier than', most: 'no later than', words: formatDateTime })}.`;
  }
}

function describeBounds<Bound>(
  { from, to }: { from?: Bound | undefined; to?: Bound | undefined },
  { least, most, words }: { least: string; most: string; words: (bound: Bound) => string },
): string {
  if (from !== undefined && to !== undefined) return `between ${words(from)} and ${words(to)}`;
  if (from !== undefined) return `${least} ${words(from)}`;
  return to === undefined ? 'a different value' : `${most} ${words(to)}`;
}

/** Describes a field's limits; returns undefined if there are none. */
export function limitsOf(definition: FieldDefinition): string | undefined {
  const constraints = definition.type === 'data' ? (definition.constraints ?? []) : [];
  return constraints.map(describeLimit).filter(Boolean).join(' ') || undefined;
}

function describeLimit(constraint: BaseAttributeConstraintDto): string | undefined {
  if (constraint.description) return toSentence(constraint.description);
  // A pattern without a description means little to most users, so it is shown only in the error.
  if (constraint.type === 'regExp') return undefined;
  const { from, to } =
    constraint.type === 'range'
      ? { from: constraint.data?.from?.toString(), to: constraint.data?.to?.toString() }
      : { from: formatInstant(constraint.data?.from), to: formatInstant(constraint.data?.to) };
  const [least, most] = constraint.type === 'range' ? ['At least', 'At most'] : ['No earlier than', 'No later than'];
  if (from === undefined) return to === undefined ? undefined : `${most} ${to}.`;
  return to === undefined ? `${least} ${from}.` : `${from} to ${to}.`;
}

const formatInstant = (instant: string | undefined): string | undefined => instant && formatDateTime(instant);

// ---- Errors reported by the platform ----

export interface AssignedProblems {
  /** Keyed by field name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Errors that do not name a field. */
  readonly rest: readonly string[];
}

/** Assigns each error to the field that it names as `(name)`, `"name"` or `"label"`. */
export function assignProblems(
  problems: readonly string[],
  fields: readonly { readonly name: string; readonly label: string }[],
): AssignedProblems {
  const placed = new Map<string, string>();
  const rest: string[] = [];
  for (const problem of problems) {
    const field = fields.find((each) => isAbout(problem, each));
    if (field)
      placed.set(field.name, [placed.get(field.name), withoutFieldName(problem, field)].filter(Boolean).join(' '));
    else rest.push(problem);
  }
  return { fields: placed, rest };
}

const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function isAbout(problem: string, { name, label }: { readonly name: string; readonly label: string }): boolean {
  if (problem.includes(`"${name}"`) || problem.includes(`(${name})`) || problem.includes(`"${label}"`)) return true;
  return new RegExp(`^(?:Attribute )?${escapeRegExp(name)}(?:$|[^\\w])`).test(problem);
}

/** Removes the field name from an error that is shown at the field. */
function withoutFieldName(problem: string, { name, label }: { readonly name: string; readonly label: string }): string {
  const naming = [
    `"?${escapeRegExp(label)}"? \\(${escapeRegExp(name)}\\)`,
    `"?${escapeRegExp(name)}"?`,
    `"${escapeRegExp(label)}"`,
  ];
  const start = new RegExp(`^(?:Attribute )?(?:${naming.join('|')})[:,]? `);
  const rest = problem.replace(start, '');
  if (rest === problem) return problem.replace(` (${name})`, '');
  return toSentence(
    rest.replace(/^is rejected: /, '').replace(/^(is|has|must|accepts|does|requires|cannot) /, 'It $1 '),
  );
}

const toSentence = (text: string): string => {
  const trimmed = text.trim();
  const begun = trimmed.slice(0, 1).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
};
