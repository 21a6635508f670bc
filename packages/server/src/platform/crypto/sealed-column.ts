// Where sealed values are stored in the database. Whoever seals declares it, so that a rotation of the sealing key
// finds all of them.

export interface SealedColumn {
  /** Table, with its schema where it is another than that of the platform; quoted where needed. */
  readonly table: string;
  /** Column with an index that is unique; rows are read in its order. */
  readonly key: string;
  readonly keyType: 'uuid' | 'text' | 'smallint';
  readonly column: string;
  /** How the bytes are stored: as they are, as Base64, or as Base64 in the member `sealed` of a JSON object. */
  readonly form: 'bytes' | 'base64' | 'json';
  /** Further columns that the purpose is made of. */
  readonly with?: readonly string[];
  /** What a value of the row is bound to; the key column and those of `with` as texts. */
  readonly purpose: (row: Readonly<Record<string, string>>) => string;
}
