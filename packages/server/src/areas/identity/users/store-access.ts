// Fetches the authentication methods and roles of all users in one statement.
import { hotStatement, runHot, type Executor } from '../../../platform/database/database.ts';

export interface UserAccessRow {
  readonly uuid: string;
  readonly roles: readonly { readonly uuid: string; readonly name: string }[];
  readonly certificate: boolean;
  readonly passkeys: number;
  readonly accessTokens: number;
  readonly externalIdentities: number;
  readonly invited: boolean;
}

// Reads each table once and groups by user, because there are few users and the result contains all of them.
const accessOfUsers = hotStatement(
  'access_of_users',
  `SELECT u.uuid, coalesce(r.roles, '[]'::json) AS roles, u.certificate_uuid IS NOT NULL AS certificate,
     coalesce(p.many, 0) AS passkeys, coalesce(t.many, 0) AS "accessTokens",
     coalesce(e.many, 0) AS "externalIdentities", i.user_uuid IS NOT NULL AS invited
   FROM platform_user u
   LEFT JOIN (SELECT ur.user_uuid, json_agg(json_build_object('uuid', r.uuid, 'name', r.name) ORDER BY r.name) AS roles
     FROM user_role ur JOIN role r ON r.uuid = ur.role_uuid GROUP BY ur.user_uuid) r ON r.user_uuid = u.uuid
   LEFT JOIN (SELECT user_uuid, count(*)::int AS many FROM passkey GROUP BY user_uuid) p ON p.user_uuid = u.uuid
   LEFT JOIN (SELECT user_uuid, count(*)::int AS many FROM access_token
     WHERE expires_at IS NULL OR expires_at > $1 GROUP BY user_uuid) t ON t.user_uuid = u.uuid
   LEFT JOIN (SELECT user_uuid, count(*)::int AS many FROM external_identity GROUP BY user_uuid) e
     ON e.user_uuid = u.uuid
   LEFT JOIN (SELECT DISTINCT user_uuid FROM invitation WHERE expires_at > $1) i ON i.user_uuid = u.uuid
   ORDER BY u.username`,
);

export const accessOfAll = (executor: Executor, now: Date): Promise<readonly UserAccessRow[]> =>
  runHot<UserAccessRow>(executor, accessOfUsers, [now]);
