// State of an attribute form: changes, validation errors and the request. Only changes are stored, so new definitions
// and values from the platform appear immediately.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { useId, useState } from 'react';
import type { ContentItem } from './attribute-content.ts';
import { assignProblems, problemOf } from './attribute-problems.ts';
import {
  isField,
  isSameState,
  readState,
  requestOf,
  startState,
  type FieldDefinition,
  type FieldState,
  type PresentValues,
} from './attribute-values.ts';
import { useCallbacks, type Callback, type Waiting } from './use-callbacks.ts';

export interface AttributeFormInput {
  /** Source of the definitions, e.g. an authority; a different source resets the form. */
  readonly source: string;
  readonly definitions: readonly BaseAttributeDto[];
  /** Values of an existing object; absent for a new one. */
  readonly present?: PresentValues | undefined;
  /** Fetches data that depends on other fields. */
  readonly callBack?: Callback | undefined;
}

export interface AttributeFormModel {
  readonly definitions: readonly BaseAttributeDto[];
  readonly stateOf: (definition: FieldDefinition) => FieldState;
  /** Returns why a field cannot be filled in yet, or undefined if it can. */
  readonly waitingOf: (definition: BaseAttributeDto) => Waiting | undefined;
  /** Returns a field's error, once the field was visited or checked. */
  readonly problemOf: (definition: FieldDefinition) => string | undefined;
  readonly idOf: (definition: FieldDefinition) => string;
  readonly change: (definition: FieldDefinition, state: FieldState) => void;
  /** Marks the field as visited, so that its error is shown from now on. */
  readonly leave: (definition: FieldDefinition) => void;
  readonly isDirty: boolean;
  /** Returns whether the form is valid. If not, shows all errors and focuses the first field that has one. */
  readonly check: () => boolean;
  readonly request: () => RequestAttributeDto[];
  /** Shows errors at the fields they name and returns all others. */
  readonly refuse: (problems: readonly string[]) => readonly string[];
}

interface Edits {
  readonly source: string;
  readonly changes: Readonly<Record<string, FieldState>>;
  readonly left: ReadonlySet<string>;
  /** Keyed by field, until it is changed. */
  readonly refused: ReadonlyMap<string, string>;
  readonly isChecked: boolean;
}

const initialEdits = (source: string): Edits => ({
  source,
  changes: {},
  left: new Set(),
  refused: new Map(),
  isChecked: false,
});

export function useAttributeForm(input: AttributeFormInput): AttributeFormModel {
  const { source, present, callBack } = input;
  const [held, setHeld] = useState(() => initialEdits(source));
  const edits = held.source === source ? held : initialEdits(source);
  const edit = (change: (edits: Edits) => Edits): void =>
    setHeld((now) => change(now.source === source ? now : initialEdits(source)));
  const formId = useId();

  const stateOf = (definition: FieldDefinition): FieldState =>
    edits.changes[definition.name] ?? startState(definition, present);
  const itemsOf = (known: readonly BaseAttributeDto[]) => (name: string) => itemsIn(known, { name, stateOf });
  const { definitions, waitingOf } = useCallbacks({ source, definitions: input.definitions, callBack, itemsOf });
  const fields = definitions.filter(isField);
  const findProblem = (definition: FieldDefinition): string | undefined => problemOf(definition, stateOf(definition));
  const idOf = ({ name }: FieldDefinition): string => `${formId}-${name}`;

  return {
    definitions,
    stateOf,
    waitingOf,
    problemOf: (definition) =>
      edits.refused.get(definition.name) ??
      (edits.isChecked || edits.left.has(definition.name) ? findProblem(definition) : undefined),
    idOf,
    change: ({ name }, state) =>
      edit((now) => ({
        ...now,
        changes: { ...now.changes, [name]: state },
        refused: new Map([...now.refused].filter(([refused]) => refused !== name)),
      })),
    leave: ({ name }) => edit((now) => ({ ...now, left: new Set([...now.left, name]) })),
    isDirty: fields.some((field) => {
      const change = edits.changes[field.name];
      return change !== undefined && !isSameState(change, startState(field, present));
    }),
    check: () => {
      edit((now) => ({ ...now, isChecked: true }));
      const first = fields.find((field) => findProblem(field) !== undefined);
      if (first) focusSoon(idOf(first));
      return first === undefined;
    },
    request: () => requestOf({ definitions, present, stateOf }),
    refuse: (problems) => {
      const placed = assignProblems(
        problems,
        // Errors at hidden fields would not be visible.
        fields.flatMap(({ name, properties }) => (properties.visible ? [{ name, label: properties.label }] : [])),
      );
      edit((now) => ({ ...now, refused: placed.fields }));
      return placed.rest;
    },
  };
}

/** Returns a field's items; empty if it has no valid value. */
function itemsIn(
  definitions: readonly BaseAttributeDto[],
  { name, stateOf }: { readonly name: string; readonly stateOf: (definition: FieldDefinition) => FieldState },
): readonly ContentItem[] {
  const field = definitions.filter(isField).find((each) => each.name === name);
  const read = field && readState(field, stateOf(field));
  return read && 'items' in read ? read.items : [];
}

/** Runs after the errors are rendered, so that screen readers announce them with the field. */
const focusSoon = (id: string): void => {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
};
