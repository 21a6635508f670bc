// What certificates are sorted by. `c` is the certificate, `p` its RA profile.
import type { CertificateSort, CertificateSortField } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { shownStateSql } from '../../certificates/index.ts';
import { folded, hasName } from './store-indexes.ts';

export interface SortTerm {
  readonly value: RawBuilder<unknown>;
  /** Its type in PostgreSQL. */
  readonly type: SortType;
  readonly direction: CertificateSort['direction'];
  /** Does the row have a value? Those that have none come last. Absent: all have one. */
  readonly known?: RawBuilder<SqlBool>;
}

export type SortType = 'text' | 'integer' | 'timestamptz' | 'uuid';

interface SortColumn {
  /** The first one decides. */
  readonly values: readonly (readonly [value: RawBuilder<unknown>, type: SortType])[];
  readonly known?: RawBuilder<SqlBool>;
}

/** Names without regard to case, as people look for them in a list; as the indexes have them. */
const columns: Readonly<Record<CertificateSortField, SortColumn>> = {
  commonName: { values: [[folded('c.common_name'), 'text']], known: hasName('c.common_name') },
  notAfter: { values: [[sql`c.not_after`, 'timestamptz']], known: sql`c.not_after IS NOT NULL` },
  notBefore: { values: [[sql`c.not_before`, 'timestamptz']], known: sql`c.not_before IS NOT NULL` },
  // Identifiers are UUIDv7.
  createdAt: { values: [[sql`c.uuid`, 'uuid']] },
  state: { values: [[shownStateSql, 'text']] },
  validationStatus: { values: [[sql`c.validation_status`, 'text']] },
  issuerCommonName: { values: [[folded('c.issuer_common_name'), 'text']], known: hasName('c.issuer_common_name') },
  raProfile: { values: [[sql`lower(p.name)`, 'text']], known: sql`p.name IS NOT NULL` },
  keySize: { values: [[sql`c.key_size`, 'integer']] },
  // Hexadecimal without leading zeros: as numbers, not as words.
  serialNumber: {
    values: [
      [sql`length(c.serial_number)`, 'integer'],
      [sql`c.serial_number`, 'text'],
    ],
    known: sql`c.serial_number IS NOT NULL`,
  },
};

const NEWEST_FIRST: CertificateSort = { field: 'createdAt', direction: 'desc' };

/** A field counts once, and nothing counts after what tells all certificates apart. */
export function completeSort(sort: readonly CertificateSort[]): readonly CertificateSort[] {
  const [first = NEWEST_FIRST] = sort;
  const complete = new Map<CertificateSortField, CertificateSort>();
  // The identifier takes the direction of the first field, as in the index by expiry, which is read either way.
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
 * Where a certificate is in an order: its values of the terms as PostgreSQL writes them, null where it has none. The
 * last is its identifier.
 */
export type SortPosition = readonly (string | null)[];

export const keyAt = (place: SortPosition): string => {
  const key = place.at(-1);
  if (typeof key !== 'string') throw new Error('A place ends with an identifier.');
  return key;
};
