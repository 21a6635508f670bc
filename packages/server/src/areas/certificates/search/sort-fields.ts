// What certificates are sorted by. `c` is the certificate, `p` its RA profile.
import type { CertificateSort, CertificateSortField } from '@signetry/contract';
import { sql, type RawBuilder } from 'kysely';

export interface SortTerm {
  readonly value: RawBuilder<unknown>;
  readonly direction: CertificateSort['direction'];
  /** Rows without a value come last. */
  readonly nullable: boolean;
}

interface SortColumn {
  /** The first one decides. */
  readonly values: readonly RawBuilder<unknown>[];
  readonly nullable?: boolean;
}

/** Names without regard to case, as people look for them in a list. */
const columns: Readonly<Record<CertificateSortField, SortColumn>> = {
  commonName: { values: [sql`nullif(lower(c.common_name), '')`], nullable: true },
  notAfter: { values: [sql`c.not_after`], nullable: true },
  notBefore: { values: [sql`c.not_before`], nullable: true },
  // Identifiers are UUIDv7.
  createdAt: { values: [sql`c.uuid`] },
  state: { values: [sql`c.state`] },
  validationStatus: { values: [sql`c.validation_status`] },
  issuerCommonName: { values: [sql`nullif(lower(c.issuer_common_name), '')`], nullable: true },
  raProfile: { values: [sql`lower(p.name)`], nullable: true },
  keySize: { values: [sql`c.key_size`] },
  // Hexadecimal without leading zeros: as numbers, not as words.
  serialNumber: { values: [sql`length(c.serial_number)`, sql`c.serial_number`], nullable: true },
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
    const { values, nullable = false } = columns[field];
    return values.map((value) => ({ value, direction, nullable }));
  });
