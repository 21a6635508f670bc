// One row per setting of a protocol profile: its column, and its stored, presented and served values. The name of the
// row is the name of the setting in requests, in responses and in the served profile. No I/O.

// `any`: a row is written for the type of its own setting, which `SettingsOf` looks up in the request.
/* oxlint-disable typescript/no-explicit-any */
export interface Setting {
  readonly column: string;
  /** Stored value of a new profile whose request omits the setting. Absent: requests must contain it. */
  readonly initial?: unknown;
  /** What an edit that omits the setting does: keep the stored value (the default), or reset it to `initial`. */
  readonly omitted?: 'reset';
  /** Returns the column for a value in a request. Default: the value itself. */
  readonly store?: (given: any) => unknown;
  /** Returns the value in responses. Default: the stored value; null is omitted. `false`: not in responses. */
  readonly present?: ((stored: any) => unknown) | false;
  /** Returns the value for the protocol server. Default: the stored value; null becomes undefined. */
  readonly serve?: (stored: any) => unknown;
}
/* oxlint-enable typescript/no-explicit-any */

export type SettingsTable<Request> = { readonly [K in keyof Request]?: Setting };

type Field<S, K extends PropertyKey> = S extends { readonly [key in K]: infer V } ? V : undefined;
type Result<F, Default> = F extends (...given: never[]) => infer R ? R : Default;
type OrNull<S> = null extends Field<S, 'initial'> ? null : never;

/** The column of a setting: what `store` returns, or the type of the setting in requests; null if that is initial. */
type Stored<Request, K, S> = K extends keyof Request
  ? Result<Field<S, 'store'>, NonNullable<Request[K]>> | OrNull<S>
  : never;

/** Columns of the settings of a table. */
export type SettingsRow<Request, T> = {
  readonly [K in keyof T as Field<T[K], 'column'> & string]: Stored<Request, K, T[K]>;
};

/** Columns that a request may leave out. */
export type KeptColumns<Request, T> = {
  readonly [
    K in keyof T as T[K] extends { readonly initial: unknown } ? Field<T[K], 'column'> & string : never
  ]: Stored<Request, K, T[K]>;
};

type Presented<Request, T> = {
  readonly [K in keyof T as T[K] extends { readonly present: false } ? never : K]: Result<
    Field<T[K], 'present'>,
    NonNullable<Stored<Request, K, T[K]>> | (null extends Stored<Request, K, T[K]> ? undefined : never)
  >;
};

/** Settings as the protocol server reads them. */
export type ServedSettings<Request, T> = {
  readonly [K in keyof T]: Result<
    Field<T[K], 'serve'>,
    NonNullable<Stored<Request, K, T[K]>> | (null extends Stored<Request, K, T[K]> ? undefined : never)
  >;
};

/** A text that an edit removes by leaving it out. */
export const description = {
  column: 'description',
  initial: null,
  omitted: 'reset',
  store: (text: string): string | null => text || null,
} as const;

/** A text that an edit keeps by leaving it out, and removes with an empty one. */
export const optionalText = <const Column extends string>(column: Column) =>
  ({ column, initial: null, store: (text: string): string | null => text || null }) as const;

/** Whether the names of certificate-authenticated clients are bound. Null: the profile predates the setting. */
export const bindNames = {
  column: 'bind_names',
  initial: true as boolean | null,
  serve: (stored: boolean | null): boolean => stored ?? false,
} as const;

/** What a table of settings does with requests and rows. */
export interface Settings<Request, T> {
  /** Columns for a request; `kept` is the row before it, or `initial` for a new profile. */
  columns(request: Request, kept: KeptColumns<Request, T>): SettingsRow<Request, T>;
  readonly initial: KeptColumns<Request, T>;
  present(row: SettingsRow<Request, T>): Presented<Request, T>;
  serve(row: SettingsRow<Request, T>): ServedSettings<Request, T>;
}

/** Columns of settings. */
export type SettingsRowOf<S> = S extends { present(row: infer Row): unknown } ? Row : never;
/** Settings as the protocol server reads them. */
export type ServedSettingsOf<S> = S extends { serve(row: never): infer Served } ? Served : never;

/** `settingsOf<Request>()(table)`: the request type is given, that of the table is inferred. */
export const settingsOf =
  <Request extends object>() =>
  <const T extends SettingsTable<Request>>(table: T): Settings<Request, T> => {
    const rows = Object.entries(table as Record<string, Setting>);
    type Values = Record<string, unknown>;
    const mapped = (values: readonly (readonly [string, unknown])[]): never => Object.fromEntries(values) as never;
    const initial = mapped(rows.flatMap(([, row]) => ('initial' in row ? [[row.column, row.initial]] : [])));
    return {
      initial,
      columns: (request, kept) =>
        mapped(
          rows.map(([name, { column, omitted, store }]) => {
            const given = (request as Values)[name];
            if (given === undefined)
              return [column, (omitted === 'reset' ? (initial as Values) : (kept as Values))[column]];
            return [column, store ? store(given) : given];
          }),
        ),
      present: (row) =>
        mapped(
          rows.flatMap(([name, { column, present }]) => {
            if (present === false) return [];
            const stored = (row as Values)[column];
            return [[name, present ? present(stored) : (stored ?? undefined)]];
          }),
        ),
      serve: (row) =>
        mapped(
          rows.map(([name, { column, serve }]) => {
            const stored = (row as Values)[column];
            return [name, serve ? serve(stored) : (stored ?? undefined)];
          }),
        ),
    };
  };
