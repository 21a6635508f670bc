// Search fields of what protocols and locations keep of certificates. Their owners stand above this area and register
// here.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { SqlReading } from '../../platform/database/filter/reading.ts';

export interface RegisteredField {
  readonly field: PropertyFieldIdentifier<'certificates'>;
  /** How the name is found from the certificate, which is `c` in queries. */
  readonly reading: SqlReading;
  /** The names that the caller may list, in order: what the search form offers. */
  list(executor: Executor, context: RequestContext): Promise<readonly string[]>;
}
