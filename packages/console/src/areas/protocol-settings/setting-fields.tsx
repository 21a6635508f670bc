// One row per setting of a protocol profile: its form field with label and help, its value for a new profile, its value
// in requests, and its fact on the settings tab. Rows have the names of the settings in requests.
import { NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { DurationField } from '../../ui/duration-field.tsx';
import type { Fact } from '../../ui/facts.tsx';
import { NamesChoice, namesText } from './names-choice.tsx';

export interface FieldProps<Value> {
  readonly value: Value;
  readonly error: string | undefined;
  readonly onChange: (value: Value) => void;
}

/** The name of the fact and its text. A fact whose text is undefined or empty is omitted. */
type FactOf<Value> = readonly [name: string, text: (value: Value) => ReactNode];

/** A setting that the form edits as `Value`, and that requests contain as `Sent`. */
export interface SettingField<Value, Sent = Value, Stored = Value, Profile = object> {
  /** Value for a new profile. */
  readonly initial: Value;
  /** Returns the value for an existing profile. `stored` is undefined if the response omits the setting. */
  readonly read: (stored: Stored | undefined, profile: Profile) => Value;
  /** Returns the value for requests. If it is undefined, the request omits the setting. */
  readonly send: (value: Value) => Sent;
  /** Absent if the form places the field itself, because it depends on more than its value. */
  readonly Field?: (props: FieldProps<Value>) => ReactNode;
  readonly fact?: FactOf<Value>;
}

interface Labels {
  readonly label: string;
  readonly help?: string;
}

interface Common<Value> extends Labels {
  readonly initial: Value;
  readonly fact?: FactOf<Value>;
}

const own = <Value,>({ initial, fact }: Pick<Common<Value>, 'initial' | 'fact'>) => ({
  initial,
  read: (stored: Value | undefined): Value => stored ?? initial,
  send: (value: Value): Value => value,
  ...(fact && { fact }),
});

interface FlagOptions extends Labels {
  readonly initial: boolean;
  /** Value for a profile whose response omits the setting. Default: `initial`. */
  readonly absent?: boolean;
  readonly fact?: readonly [name: string, on: string | undefined, off: string | undefined];
}

export function flag({ label, help, initial, absent = initial, fact }: FlagOptions): SettingField<boolean> {
  return {
    ...own({ initial, ...(fact && { fact: [fact[0], (is: boolean) => (is ? fact[1] : fact[2])] as const }) }),
    read: (stored) => stored ?? absent,
    Field: ({ value, onChange }) => (
      <Switch
        label={label}
        description={help}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    ),
  };
}

interface TextOptions extends Labels {
  readonly placeholder?: string;
  readonly fact?: FactOf<string>;
}

/** Text that may be empty. It is sent without surrounding spaces. */
export function text({ label, help, placeholder, fact }: TextOptions, type = 'text'): SettingField<string> {
  return {
    ...own({ initial: '', ...(fact && { fact }) }),
    send: (value) => value.trim(),
    Field: ({ value, error, onChange }) => (
      <TextInput
        label={label}
        description={help}
        placeholder={placeholder}
        type={type}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    ),
  };
}

export const url = (options: Omit<TextOptions, 'placeholder'>): SettingField<string> =>
  text({ ...options, placeholder: 'https://' }, 'url');

interface CountOptions extends Common<number> {
  readonly min: number;
  readonly max: number;
}

export function count({ label, help, min, max, ...options }: CountOptions): SettingField<number> {
  return {
    ...own(options),
    Field: ({ value, error, onChange }) => (
      <NumberInput
        label={label}
        description={help}
        min={min}
        max={max}
        allowDecimal={false}
        value={value}
        error={error}
        onChange={(entered) => onChange(Number(entered))}
      />
    ),
  };
}

/** A duration in seconds. */
export function duration({ label, help, ...options }: Common<number>): SettingField<number> {
  return {
    ...own(options),
    Field: ({ value, error, onChange }) => (
      <DurationField
        label={label}
        {...(help !== undefined && { description: help })}
        seconds={value}
        error={error}
        onChange={onChange}
      />
    ),
  };
}

interface ChoiceOptions<Value> extends Common<Value> {
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

export function choice<Value extends string>({
  label,
  help,
  options,
  ...rest
}: ChoiceOptions<Value>): SettingField<Value> {
  return {
    ...own(rest),
    Field: ({ value, error, onChange }) => (
      <Select
        label={label}
        description={help}
        allowDeselect={false}
        data={options}
        value={value}
        error={error}
        onChange={(chosen) => onChange(options.find((each) => each.value === chosen)?.value ?? value)}
      />
    ),
  };
}

interface ListOptions extends Labels {
  readonly placeholder?: string;
  /** Characters that end an entry, in addition to Enter. Empty if entries can contain them. */
  readonly splitChars?: readonly string[];
  readonly fact?: FactOf<readonly string[]>;
}

/** A list of texts, entered one by one. */
export function list(options: ListOptions): SettingField<readonly string[], string[], readonly string[]> {
  const { label, help, placeholder, splitChars = [',', ' '], fact } = options;
  return {
    ...own<readonly string[]>({ initial: [], ...(fact && { fact }) }),
    send: (value) => [...value],
    Field: ({ value, error, onChange }) => (
      <TagsInput
        label={label}
        description={help}
        placeholder={value.length === 0 ? placeholder : ''}
        splitChars={[...splitChars]}
        acceptValueOnBlur
        value={[...value]}
        error={error}
        onChange={onChange}
      />
    ),
  };
}

/** Text of several lines. */
export const Lines = ({ label, help, value, error, onChange }: Labels & FieldProps<string>) => (
  <Textarea
    label={label}
    description={help}
    autosize
    minRows={2}
    maxRows={8}
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** A secret, which responses never contain. If it is left empty, the stored secret is kept. */
export const keptSecret: SettingField<string, string | undefined> = {
  initial: '',
  read: () => '',
  send: (value) => (value === '' ? undefined : value),
};

/** Names that clients with a certificate can request. Undefined for a profile that predates the setting. */
export const bindNames: SettingField<boolean | undefined> = {
  initial: true,
  read: (stored) => stored,
  send: (value) => value,
  Field: NamesChoice,
  fact: ['Names for clients with a certificate', namesText],
};

/** The parameters are `never`, so that each row can have the types of its own setting. */
interface Row<Sent> {
  readonly initial: unknown;
  readonly read: (stored: never, profile: never) => unknown;
  readonly send: (value: never) => Sent | undefined;
  readonly Field?: (props: never) => ReactNode;
  readonly fact?: readonly [name: string, text: (value: never) => ReactNode];
}

type RowsFor<Request> = { readonly [K in keyof Request]?: Row<Request[K]> };
type Rows = Readonly<Record<string, Row<unknown>>>;

/** Form values of a table's settings. */
export type ValuesOf<Table> = Table extends { readonly rows: infer T }
  ? { readonly [K in keyof T]: T[K] extends { readonly initial: infer Value } ? Value : never }
  : never;

type Sent<R> = R extends { readonly send: (value: never) => infer S } ? S : never;
type Body<T> = { [K in keyof T as undefined extends Sent<T[K]> ? never : K]: Sent<T[K]> } & {
  [K in keyof T as undefined extends Sent<T[K]> ? K : never]?: Exclude<Sent<T[K]>, undefined>;
};

export interface SettingTable<T, Profile> {
  readonly rows: T;
  /** Returns the form values of the profile, or of a new one. */
  readonly valuesOf: (profile: Profile | undefined) => ValuesOf<{ readonly rows: T }>;
  /** Returns the request members for the values. */
  readonly bodyOf: (values: ValuesOf<{ readonly rows: T }>) => Body<T>;
  readonly factsOf: (profile: Profile, names: readonly (keyof T)[]) => (Fact | undefined)[];
}

/** Called as `settingTable<Request, Profile>()(rows)`: these types are explicit, and the rows are inferred. */
export const settingTable =
  <Request extends object, Profile extends object>() =>
  <T extends RowsFor<Request>>(rows: T): SettingTable<T, Profile> => {
    const entries = Object.entries(rows as unknown as Rows);
    const valueOf = (name: string, { read }: Row<unknown>, profile: Profile): unknown =>
      read((profile as Record<string, unknown>)[name] as never, profile as never);
    return {
      rows,
      valuesOf: (profile) =>
        Object.fromEntries(
          entries.map(([name, row]) => [name, profile ? valueOf(name, row, profile) : row.initial]),
        ) as never,
      bodyOf: (values) =>
        Object.fromEntries(
          entries.flatMap(([name, { send }]) => {
            const sent = send((values as Record<string, unknown>)[name] as never);
            return sent === undefined ? [] : [[name, sent]];
          }),
        ) as never,
      factsOf: (profile, names) =>
        entries
          .filter(([name]) => names.includes(name as keyof T))
          .toSorted(([a], [b]) => names.indexOf(a as keyof T) - names.indexOf(b as keyof T))
          .map(
            ([name, row]) =>
              row.fact && { name: row.fact[0], value: row.fact[1](valueOf(name, row, profile) as never) },
          ),
    };
  };

export interface SettingInputsProps<T> {
  readonly table: { readonly rows: T };
  /** In the order in which the fields are shown. */
  readonly names: readonly (keyof T & string)[];
  readonly form: {
    readonly values: ValuesOf<{ readonly rows: T }>;
    readonly set: (field: keyof T & string, value: never) => void;
    readonly problemOf: (field: keyof T & string) => string | undefined;
  };
}

/** The form fields of some settings of a table. */
export function SettingInputs<T>({ table, names, form }: SettingInputsProps<T>) {
  return names.map((name) => {
    const { Field } = table.rows[name] as Row<unknown>;
    if (!Field) return null;
    const props: FieldProps<unknown> = {
      value: form.values[name],
      error: form.problemOf(name),
      onChange: (value) => form.set(name, value as never),
    };
    const Input = Field as (given: FieldProps<unknown>) => ReactNode;
    return <Input key={name} {...props} />;
  });
}
