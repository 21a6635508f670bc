// Names of what protocols keep and certificates refer to, for the search form. Their owners stand above this area and
// register here.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';

export interface ProtocolNames {
  /** The field that is compared with the names. */
  readonly field: PropertyFieldIdentifier<'certificates'>;
  /** Those that the caller may list, in order. */
  list(executor: Executor, context: RequestContext): Promise<readonly string[]>;
}
