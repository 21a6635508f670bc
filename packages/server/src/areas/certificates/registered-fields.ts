// Search fields for certificate data of protocols and locations. Their owners are in higher areas and register here.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { SqlReading } from '../../platform/database/filter/reading.ts';

export interface RegisteredField {
  readonly field: PropertyFieldIdentifier<'certificates'>;
  /** Expression that reads the name from the certificate, which is `c` in queries. */
  readonly reading: SqlReading;
  /** Returns the names that the caller can list, in order, for the search form. */
  list(executor: Executor, context: RequestContext): Promise<readonly string[]>;
}
