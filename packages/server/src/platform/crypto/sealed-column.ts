// Where sealed values are stored in the database. Every module that seals values declares its columns, so that a
// rotation of the sealing key finds all sealed values.

export interface SealedColumn {
  /** Table name, with its schema if it is not the platform's, and with quotation marks if needed. */
  readonly table: string;
  /** Column with a unique index that determines the order in which rows are read. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text' | 'smallint';
  readonly column: string;
  /** How the bytes are stored: raw, as Base64, or as Base64 in the `sealed` member of a JSON object. */
  readonly form: 'bytes' | 'base64' | 'json';
  /** Additional columns from which the purpose is derived. */
  readonly with?: readonly string[];
  /**
   * Returns the purpose to which a row's value is bound; the key column and the columns in `with` are passed as text.
   */
  readonly purpose: (row: Readonly<Record<string, string>>) => string;
}
