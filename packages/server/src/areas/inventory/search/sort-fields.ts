// Sort fields of certificates. `c` is the certificate, `p` its RA profile.
import type { CertificateSort, CertificateSortField } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { shownStateSql } from '../../certificates/index.ts';
import { folded, hasName } from './store-indexes.ts';

export interface SortTerm {
  readonly value: RawBuilder<unknown>;
  /** PostgreSQL type of the value. */
  readonly type: SortType;
  readonly direction: CertificateSort['direction'];
  /** Whether the row has a value; rows without one come last. Absent if all rows have one. */
  readonly known?: RawBuilder<SqlBool>;
}

export type SortType = 'text' | 'integer' | 'timestamptz' | 'uuid';

interface SortColumn {
  /** Values to sort by, in order of precedence. */
  readonly values: readonly (readonly [value: RawBuilder<unknown>, type: SortType])[];
  readonly known?: RawBuilder<SqlBool>;
}

/** Names are sorted case-insensitively, as users expect in a list and as they are indexed. */
const columns: Readonly<Record<CertificateSortField, SortColumn>> = {
  commonName: { values: [[folded('c.common_name'), 'text']], known: hasName('c.common_name') },
  notAfter: { values: [[sql`c.not_after`, 'timestamptz']], known: sql`c.not_after IS NOT NULL` },
  notBefore: { values: [[sql`c.not_before`, 'timestamptz']], known: sql`c.not_before IS NOT NULL` },
  // Identifiers are UUIDv7 values, which are in order of creation.
  createdAt: { values: [[sql`c.uuid`, 'uuid']] },
  state: { values: [[shownStateSql, 'text']] },
  validationStatus: { values: [[sql`c.validation_status`, 'text']] },
  issuerCommonName: { values: [[folded('c.issuer_common_name'), 'text']], known: hasName('c.issuer_common_name') },
  raProfile: { values: [[sql`lower(p.name)`, 'text']], known: sql`p.name IS NOT NULL` },
  keySize: { values: [[sql`c.key_size`, 'integer']] },
  // Hexadecimal without leading zeros: sorted as numbers, not as strings.
  serialNumber: {
    values: [
      [sql`length(c.serial_number)`, 'integer'],
      [sql`c.serial_number`, 'text'],
    ],
    known: sql`c.serial_number IS NOT NULL`,
  },
};

const NEWEST_FIRST: CertificateSort = { field: 'createdAt', direction: 'desc' };

/** Drops repeated fields, and all fields that follow a field whose values are unique per certificate. */
export function completeSort(sort: readonly CertificateSort[]): readonly CertificateSort[] {
  const [first = NEWEST_FIRST] = sort;
  const complete = new Map<CertificateSortField, CertificateSort>();
  // The identifier has the same direction as the first field, as in the expiry index, which can be read in both
  // directions.
  for (const each of [...sort, { ...NEWEST_FIRST, direction: first.direction }]) {
    if (complete.has('createdAt')) break;
    if (!complete.has(each.field)) complete.set(each.field, each);
  }
  return [...complete.values()];
}

export const sortTerms = (sort: readonly CertificateSort[]): readonly SortTerm[] =>
  sort.flatMap(({ field, direction }) => {
    const { values, known } = columns[field];
    return values.map(([value, type]) => ({ value, type, direction, ...(known ? { known } : {}) }));
  });

/**
 * Position of a certificate in a sort order: its sort values as formatted by PostgreSQL, null if missing. The last is
 * its identifier.
 */
export type SortPosition = readonly (string | null)[];

export const keyAt = (place: SortPosition): string => {
  const key = place.at(-1);
  if (typeof key !== 'string') throw new Error('A position must end with an identifier.');
  return key;
};
