// Search fields for certificate data that belongs to protocols and locations. The areas that own this data are in
// higher tiers and register their fields here.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { SqlReading } from '../../platform/database/filter/reading.ts';

export interface RegisteredField {
  readonly field: PropertyFieldIdentifier<'certificates'>;
  /** Expression that reads the name from the certificate, whose alias in queries is `c`. */
  readonly reading: SqlReading;
  /** Returns the names that the caller can list, in order, for the search form. */
  list(executor: Executor, context: RequestContext): Promise<readonly string[]>;
}
