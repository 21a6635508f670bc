// Editor for a filter's value, which depends on the filter's field and condition.
import { MultiSelect, NumberInput, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { editorOf, type Draft, type Value } from './drafts.ts';
import type { FilterField } from './filter-fields.ts';
import { labelOf, type CodeTexts } from './filter-text.ts';
import classes from './filters.module.css';
import { PERIOD_UNITS, readPeriod, writePeriod, type PeriodUnit } from './period.ts';

export interface ValueEditorProps {
  readonly draft: Draft;
  /** Accessible name, e.g. `Value of filter 2`. */
  readonly label: string;
  readonly codeWords: CodeTexts;
  readonly hasProblem: boolean;
  readonly onChange: (values: readonly Value[]) => void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { draft, label, hasProblem, onChange } = props;
  const { field, condition, values } = draft;
  if (!field) return <div />;
  const editor = editorOf(field, condition);
  const [first = ''] = values;
  const control = { 'aria-label': label, error: hasProblem, className: classes.value };
  const one = (value: Value): void => onChange(value === '' ? [] : [value]);
  switch (editor) {
    case 'none':
      return <div />;
    case 'texts':
      return (
        <TagsInput
          {...control}
          placeholder={values.length === 0 ? 'Type a value and press Enter to add another' : ''}
          splitChars={[]}
          acceptValueOnBlur
          value={values.map(String)}
          onChange={onChange}
        />
      );
    case 'pattern':
      return <PatternField label={label} hasProblem={hasProblem} text={String(first)} onChange={one} />;
    case 'choices':
      return <Choices {...props} field={field} />;
    case 'number':
    case 'count':
      return (
        <NumberInput
          {...control}
          placeholder="Number"
          {...(editor === 'count' && { min: 0, max: 999_999_999, allowDecimal: false })}
          value={typeof first === 'boolean' ? '' : first}
          onChange={one}
        />
      );
    case 'boolean':
      return (
        <SegmentedControl
          aria-label={label}
          className={classes.value ?? ''}
          data={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={String(first)}
          onChange={(value) => onChange([value === 'true'])}
        />
      );
    case 'period':
      return <PeriodField label={label} hasProblem={hasProblem} text={String(first)} onChange={one} />;
    case 'datetime':
    case 'date':
    case 'time':
      return <InstantField label={label} hasProblem={hasProblem} kind={editor} text={String(first)} onChange={one} />;
  }
}

/** Props for controls with a single text value. */
interface FieldProps {
  readonly label: string;
  readonly hasProblem: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const PatternField = ({ label, hasProblem, text, onChange }: FieldProps) => (
  <TextInput
    aria-label={label}
    error={hasProblem}
    className={classes.value ?? ''}
    classNames={{ input: classes.code ?? '' }}
    placeholder="Regular expression, e.g. ^www\d+"
    spellCheck={false}
    autoComplete="off"
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

function InstantField(props: FieldProps & { readonly kind: 'datetime' | 'date' | 'time' }) {
  const { label, hasProblem, kind, text, onChange } = props;
  const isInstant = kind === 'datetime';
  return (
    <TextInput
      aria-label={label}
      error={hasProblem}
      className={classes.value ?? ''}
      type={isInstant ? 'datetime-local' : kind}
      {...(kind === 'time' && { step: 1 })}
      value={isInstant ? toLocalDateTime(text) : text}
      onChange={(event) => onChange(isInstant ? instantOf(event.currentTarget.value) : event.currentTarget.value)}
    />
  );
}

/** Maximum number of choices shown. Typing finds the others. */
const SHOWN_CHOICES = 100;

/** Values keep the type that the platform returned, so numbers remain numbers. */
function Choices({
  draft,
  label,
  codeWords,
  hasProblem,
  onChange,
  field,
}: ValueEditorProps & { readonly field: FilterField }) {
  const offered: readonly unknown[] = Array.isArray(field.value) ? field.value : [];
  const known = new Map<string, Value>();
  for (const value of [...offered, ...draft.values])
    if (typeof value === 'string' || typeof value === 'number') known.set(String(value), value);
  const words = codeWords[field.fieldIdentifier];
  const data = [...known.keys()].map((value) => ({ value, label: words?.[value] ?? labelOf(field, value) ?? value }));
  return (
    <MultiSelect
      aria-label={label}
      className={classes.value ?? ''}
      error={hasProblem}
      searchable
      limit={SHOWN_CHOICES}
      placeholder={draft.values.length > 0 ? '' : data.length === 0 ? 'No values yet' : 'Choose'}
      nothingFoundMessage={data.length === 0 ? 'The list contains no values for this field.' : 'Nothing found'}
      data={data}
      value={draft.values.map(String)}
      onChange={(next) => onChange(next.map((each) => known.get(each) ?? each))}
    />
  ); // prettier-ignore
}

/** Unit shown for periods that have multiple units. */
const OTHER = 'ISO 8601 duration';

function PeriodField(props: FieldProps) {
  const { label, hasProblem, text, onChange } = props;
  const period = readPeriod(text);
  // The user selects the unit, which is kept while no number is entered.
  const [unit, setUnit] = useState<PeriodUnit | typeof OTHER>(period?.unit ?? (text === '' ? 'days' : OTHER));
  return (
    <div className={classes.period}>
      {unit === OTHER ? (
        <TextInput
          aria-label={label}
          error={hasProblem}
          placeholder="P1Y6M"
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <NumberInput
          aria-label={label}
          error={hasProblem}
          min={0}
          max={99_999}
          clampBehavior="strict"
          allowDecimal={false}
          value={period?.count ?? ''}
          onChange={(value) => onChange(value === '' ? '' : writePeriod({ count: Number(value), unit }))}
        />
      )}
      <Select
        aria-label={`${label}: unit`}
        data={[...PERIOD_UNITS, OTHER]}
        value={unit}
        onChange={(value) => {
          const next = PERIOD_UNITS.find((each) => each === value) ?? OTHER;
          setUnit(next);
          if (next !== OTHER && period) onChange(writePeriod({ count: period.count, unit: next }));
          if (next !== OTHER && !period) onChange('');
        }}
      />
    </div>
  );
}

/** Converts an instant to the value of a `datetime-local` input: local time, to the minute. */
function toLocalDateTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const instantOf = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
};
