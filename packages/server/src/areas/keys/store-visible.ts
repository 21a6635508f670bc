// Which keys a caller can see, as a condition on `key as k`.
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

/** Returns a condition that is always true if the caller can see all tokens. */
export const isVisibleKey = ({ tokens, ...others }: KeyFilter): RawBuilder<SqlBool> =>
  isUnlimited(tokens) ? sql`true` : isVisibleObject(columns, { ...others, containers: tokens });

const NONE: ObjectFilter = { kind: 'only', uuids: new Set() };

/** Returns the same filter, but without the keys that are visible through groups. */
export const withoutGroups = (filter: KeyFilter): KeyFilter => ({ ...filter, groups: NONE });

/** Matches the keys that are visible through groups, even if they are also visible in other ways. */
export const isInGroups = ({ groups, deniedGroups }: KeyFilter): RawBuilder<SqlBool> =>
  isVisibleObject(columns, { containers: NONE, ownerUuid: null, groups, deniedGroups });
