// Values offered by the search form: stored values, object names, and attributes that certificates have.
import type { AttributeContentType, NameAndUuidDto } from '@signetry/contract';
import { sql } from 'kysely';
import { isUnlimited, type ObjectFilter } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import { certificateTables } from '../../certificates/index.ts';

/** Maximum number of combinations of owners and algorithms. A form with more choices is not usable. */
const MAX_CHOICES = 20_000;

/**
 * Returns the stored combinations of the columns offered as choices, in one scan of the certificates of these RA
 * profiles.
 */
export const findStoredChoices = (executor: Executor, raProfiles: ObjectFilter) =>
  certificateTables(executor)
    .selectFrom('certificate')
    .select([
      'signature_algorithm',
      'alt_signature_algorithm',
      'public_key_algorithm',
      'alt_public_key_algorithm',
      'key_size',
      'alt_key_size',
      'owner_username',
    ])
    .distinct()
    .$if(!isUnlimited(raProfiles), (query) => query.where(isShown(sql`ra_profile_uuid`, raProfiles)))
    .limit(MAX_CHOICES)
    .execute();

const objectNames = ['raProfiles', 'groups', 'users'] as const;
type ObjectNames = Readonly<Record<(typeof objectNames)[number], NameAndUuidDto[]>>;

/** Objects of each kind whose names can be shown. */
export type NamedObjects = Readonly<Record<'raProfiles' | 'authorities' | 'groups' | 'users', ObjectFilter>>;

/** Returns object names. RA profiles belong to authorities, so listing them requires permission to list both. */
export async function findObjectNames(executor: Executor, shown: NamedObjects): Promise<ObjectNames> {
  const { rows } = await sql<{ kind: keyof ObjectNames; uuid: string; name: string }>`
    SELECT * FROM (
      SELECT 'raProfiles' AS kind, uuid, name FROM ra_profile
        WHERE NOT internal AND ${isShown(sql`uuid`, shown.raProfiles)} AND ${isShown(sql`authority_uuid`, shown.authorities)}
      UNION ALL SELECT 'groups', uuid, name FROM object_group WHERE ${isShown(sql`uuid`, shown.groups)}
      UNION ALL SELECT 'users', uuid, username FROM platform_user WHERE ${isShown(sql`uuid`, shown.users)}
    ) named ORDER BY name`.execute(executor);
  const of = (kind: keyof ObjectNames) =>
    rows.filter((row) => row.kind === kind).map(({ uuid, name }) => ({ uuid, name }));
  // There is one entry per name.
  return Object.fromEntries(objectNames.map((kind) => [kind, of(kind)])) as unknown as ObjectNames;
}

/** Finds the attributes for which certificates of these RA profiles have a value. Secrets cannot be searched. */
export async function findAttributeFields(executor: Executor, raProfiles: ObjectFilter) {
  const ofShown = isUnlimited(raProfiles)
    ? sql``
    : sql`AND EXISTS (SELECT FROM certificate c WHERE c.uuid = v.object_uuid AND ${isShown(sql`c.ra_profile_uuid`, raProfiles)})`;
  const { rows } = await sql<{
    source: 'data' | 'meta';
    name: string;
    content_type: AttributeContentType;
    label: string;
  }>`
    SELECT DISTINCT ON (d.type, d.name, d.content_type) d.type AS source, d.name, d.content_type, d.label
    FROM attribute_definition d
    WHERE d.type IN ('data', 'meta') AND d.content_type <> 'secret'
      AND EXISTS (SELECT FROM attribute_value v WHERE v.definition_uuid = d.uuid AND v.object_resource = 'certificates' ${ofShown})
    ORDER BY d.type, d.name, d.content_type, d.updated_at DESC`.execute(executor);
  return rows;
}

interface CustomField {
  readonly source: 'custom';
  readonly name: string;
  readonly content_type: AttributeContentType;
  readonly label: string;
  readonly read_only: boolean;
}

/** Finds the custom attributes of certificates, with or without values. */
export async function findCustomFields(executor: Executor, usable: ObjectFilter) {
  const { rows } = await sql<CustomField>`
    SELECT type AS source, name, content_type, label,
      coalesce((definition -> 'properties' ->> 'readOnly')::boolean, false) AS read_only
    FROM attribute_definition
    WHERE type = 'custom' AND content_type <> 'secret' AND 'certificates' = ANY(resources) AND ${isShown(sql`uuid`, usable)}
    ORDER BY name`.execute(executor);
  return rows;
}
