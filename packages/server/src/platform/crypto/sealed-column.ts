// Where sealed values are stored in the database. Every module that seals values declares its columns, so that a
// rotation of the sealing key finds all of them.

export interface SealedColumn {
  /** Table, with its schema if it is not the platform's; quoted where needed. */
  readonly table: string;
  /** Column with a unique index; rows are read in its order. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text' | 'smallint';
  readonly column: string;
  /** Storage form of the bytes: raw, as Base64, or as Base64 in the member `sealed` of a JSON object. */
  readonly form: 'bytes' | 'base64' | 'json';
  /** Additional columns from which the purpose is derived. */
  readonly with?: readonly string[];
  /** Returns the purpose that a row's value is bound to; the key column and those in `with` are passed as text. */
  readonly purpose: (row: Readonly<Record<string, string>>) => string;
}
