// Which keys a caller sees, as a condition on `key as k`.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited, type ObjectFilter } from '../../kernel/actor.ts';
import { isVisibleObject } from '../groups/index.ts';
import type { KeyFilter } from './access.ts';

const columns = {
  resource: 'keys',
  uuid: sql`k.uuid`,
  container: sql`k.token_uuid`,
  owner: sql`k.owner_uuid`,
} as const;

/** Without anything that limits the tokens there is no condition. */
export const isVisibleKey = ({ tokens, ...others }: KeyFilter): RawBuilder<SqlBool> =>
  isUnlimited(tokens) ? sql`true` : isVisibleObject(columns, { ...others, containers: tokens });

const NONE: ObjectFilter = { kind: 'only', uuids: new Set() };

/** The same without what is seen by groups only. */
export const withoutGroups = (filter: KeyFilter): KeyFilter => ({ ...filter, groups: NONE });

/** What is seen by groups, whatever else it is seen by. */
export const isInGroups = ({ groups, deniedGroups }: KeyFilter): RawBuilder<SqlBool> =>
  isVisibleObject(columns, { containers: NONE, ownerUuid: null, groups, deniedGroups });
