// Selection of one or multiple predefined values. Long lists are searchable.
import { MultiSelect, Select } from '@mantine/core';
import { toCanonicalJson, describeItem, type ContentItem } from './attribute-content.ts';
import type { ControlFacts } from './control-facts.ts';
import type { FieldDefinition, FieldState } from './attribute-values.ts';
import classes from './attributes.module.css';

type ChoiceState = Extract<FieldState, { control: 'choice' }>;

export interface ChoiceFieldProps {
  readonly facts: ControlFacts;
  readonly definition: FieldDefinition;
  readonly state: ChoiceState;
  readonly onChange: (state: ChoiceState) => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly item: ContentItem;
}

/** Shorter lists fit into view without a search. */
const SEARCHED_FROM = 8;

export function ChoiceField({ facts, definition, state, onChange }: ChoiceFieldProps) {
  const choices = choicesOf(definition, state);
  const taken = state.chosen.map(({ data }) => toCanonicalJson(data));
  const selectKeys = (keys: readonly string[]): void =>
    onChange({
      control: 'choice',
      chosen: keys.flatMap((key) => choices.find(({ value }) => value === key)?.item ?? []),
    });
  const common = {
    ...facts,
    data: choices.map(({ value, label }) => ({ value, label })),
    searchable: choices.length >= SEARCHED_FROM || definition.properties.multiSelect,
    nothingFoundMessage: 'Nothing found',
    // Makes Enter select the first match. Without a selected option, Enter would submit the form.
    selectFirstOptionOnChange: true,
    comboboxProps: { shadow: 'md' },
  };
  if (definition.properties.multiSelect) {
    return (
      <MultiSelect
        {...common}
        hidePickedOptions
        classNames={{ pill: classes.pill }}
        clearable={!facts.required}
        placeholder={taken.length === 0 ? 'Choose' : ''}
        value={taken}
        onChange={selectKeys}
        clearButtonProps={{ 'aria-label': `Clear ${facts.label}` }}
      />
    );
  }
  return (
    <Select
      {...common}
      clearable={!facts.required}
      placeholder="Choose"
      value={taken[0] ?? null}
      onChange={(key) => selectKeys(key === null ? [] : [key])}
      clearButtonProps={{ 'aria-label': `Clear ${facts.label}` }}
    />
  );
}

/** A stored value remains selectable even if it is no longer offered, so that opening a form loses no data. */
function choicesOf({ content = [], contentType }: FieldDefinition, { chosen }: ChoiceState): readonly Choice[] {
  const offered = new Map(content.map((item) => [toCanonicalJson(item.data), item]));
  const labels = new Map<string, number>();
  const gone = chosen.filter(({ data }) => !offered.has(toCanonicalJson(data)));
  return [...content, ...gone].flatMap((item, index): Choice[] => {
    const value = toCanonicalJson(item.data);
    // Duplicates are merged into one choice.
    if (offered.get(value) !== undefined && offered.get(value) !== item) return [];
    const words = `${describeItem(contentType, item)}${index < content.length ? '' : ' (no longer offered)'}`;
    const count = (labels.get(words) ?? 0) + 1;
    labels.set(words, count);
    return [{ value, label: count === 1 ? words : `${words} (${count})`, item }];
  });
}
