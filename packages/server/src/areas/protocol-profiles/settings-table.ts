// One row per setting of a protocol profile: its column, and its stored, presented and served values. The row has the
// same name as the setting in requests, in responses and in the served profile. No I/O.

/** The parameters are `never`, so that each row can use the type of its own setting. */
export interface Setting {
  readonly column: string;
  /**
   * Value stored for a new profile whose request omits the setting. If absent, the request must contain the setting.
   */
  readonly initial?: unknown;
  /** How an edit that omits the setting affects it: the stored value is kept (the default), or reset to `initial`. */
  readonly omitted?: 'reset';
  /** Returns the column value for a value in a request. Default: the value itself. */
  readonly store?: (given: never) => unknown;
  /**
   * Returns the value for responses. Default: the stored value; null is omitted. `false`: the setting is omitted from
   * responses.
   */
  readonly present?: ((stored: never) => unknown) | false;
  /** Returns the value for the protocol server. Default: the stored value, with null converted to undefined. */
  readonly serve?: (stored: never) => unknown;
}

export type SettingsTable<Request> = { readonly [K in keyof Request]?: Setting };

type Field<S, K extends PropertyKey> = S extends { readonly [key in K]: infer V } ? V : undefined;
type Result<F, Default> = F extends (...given: never[]) => infer R ? R : Default;
type OrNull<S> = null extends Field<S, 'initial'> ? null : never;

/**
 * Type of a setting's column: the return type of `store`, or else the type of the setting in requests; also null if
 * `initial` is null.
 */
type Stored<Request, K, S> = K extends keyof Request
  ? Result<Field<S, 'store'>, NonNullable<Request[K]>> | OrNull<S>
  : never;

/** Columns for the settings in a table. */
export type SettingsRow<Request, T> = {
  readonly [K in keyof T as Field<T[K], 'column'> & string]: Stored<Request, K, T[K]>;
};

/** Columns that a request may omit. */
export type OptionalColumns<Request, T> = {
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

/** Text that is removed if an edit omits it. */
export const description = {
  column: 'description',
  initial: null,
  omitted: 'reset',
  store: (text: string): string | null => text || null,
} as const;

/** Text that is kept if an edit omits it, and removed if an edit contains an empty text. */
export const optionalText = <const Column extends string>(column: Column) =>
  ({ column, initial: null, store: (text: string): string | null => text || null }) as const;

/**
 * Whether clients that authenticate with a certificate can request only names bound to that certificate. Null means
 * that the profile predates the setting.
 */
export const bindNames = {
  column: 'bind_names',
  initial: true as boolean | null,
  serve: (stored: boolean | null): boolean => stored ?? false,
} as const;

/** Operations of a settings table on requests and rows. */
export interface Settings<Request, T> {
  /** Returns the columns for a request. `kept` is the previous row, or `initial` for a new profile. */
  columns(request: Request, kept: OptionalColumns<Request, T>): SettingsRow<Request, T>;
  readonly initial: OptionalColumns<Request, T>;
  present(row: SettingsRow<Request, T>): Presented<Request, T>;
  serve(row: SettingsRow<Request, T>): ServedSettings<Request, T>;
}

/** Columns of settings. */
export type SettingsRowOf<S> = S extends { present(row: infer Row): unknown } ? Row : never;
/** Settings as the protocol server reads them. */
export type ServedSettingsOf<S> = S extends { serve(row: never): infer Served } ? Served : never;

/** Called as `settingsOf<Request>()(table)`: the request type is explicit, and the table type is inferred. */
export const settingsOf =
  <Request extends object>() =>
  <const T extends SettingsTable<Request>>(table: T): Settings<Request, T> => {
    const rows = Object.entries(table as Record<string, Setting>);
    type Values = Record<string, unknown>;
    const toRecord = (values: readonly (readonly [string, unknown])[]): never => Object.fromEntries(values) as never;
    const initial = toRecord(rows.flatMap(([, row]) => ('initial' in row ? [[row.column, row.initial]] : [])));
    return {
      initial,
      columns: (request, kept) =>
        toRecord(
          rows.map(([name, { column, omitted, store }]) => {
            const given = (request as Values)[name];
            if (given === undefined)
              return [column, (omitted === 'reset' ? (initial as Values) : (kept as Values))[column]];
            return [column, store ? store(given as never) : given];
          }),
        ),
      present: (row) =>
        toRecord(
          rows.flatMap(([name, { column, present }]) => {
            if (present === false) return [];
            const stored = (row as Values)[column];
            return [[name, present ? present(stored as never) : (stored ?? undefined)]];
          }),
        ),
      serve: (row) =>
        toRecord(
          rows.map(([name, { column, serve }]) => {
            const stored = (row as Values)[column];
            return [name, serve ? serve(stored as never) : (stored ?? undefined)];
          }),
        ),
    };
  };
