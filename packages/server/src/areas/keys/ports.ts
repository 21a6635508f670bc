// What this area needs of identity.
import type { Executor } from '../../platform/database/database.ts';

export interface Users {
  findUser(
    executor: Executor,
    by: { readonly uuid: string },
  ): Promise<{ readonly uuid: string; readonly username: string } | undefined>;
}
