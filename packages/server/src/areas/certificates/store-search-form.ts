// Values that the search form offers: stored ones, names of objects, and attributes that certificates have.
import type { AttributeContentType } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';

/** Owners times algorithms; a form that offers more is of no use. */
const MAX_CHOICES = 20_000;
/** Accounts are made by machines; the youngest are the ones that people look for. */
const MAX_ACCOUNTS = 1_000;

/** Stored combinations of the columns that are offered as choices: one pass over the table. */
export const findStoredChoices = (executor: Executor) =>
  tables(executor)
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
    .limit(MAX_CHOICES)
    .execute();

const objectNames = ['raProfiles', 'groups', 'acmeProfiles', 'acmeAccounts'] as const;
type ObjectNames = Readonly<Record<(typeof objectNames)[number], string[]>>;

export async function findObjectNames(executor: Executor): Promise<ObjectNames> {
  const { rows } = await sql<{ kind: keyof ObjectNames; name: string }>`
    SELECT * FROM (
      SELECT 'raProfiles' AS kind, name FROM ra_profile UNION ALL SELECT 'groups', name FROM object_group
      UNION ALL SELECT 'acmeProfiles', name FROM acme_profile
      UNION ALL (SELECT 'acmeAccounts', account_id FROM acme_account ORDER BY uuid DESC LIMIT ${MAX_ACCOUNTS})
    ) named ORDER BY name`.execute(executor);
  const of = (kind: keyof ObjectNames) => rows.filter((row) => row.kind === kind).map((row) => row.name);
  return Object.fromEntries(objectNames.map((kind) => [kind, of(kind)])) as unknown as ObjectNames; // one entry for each name
}

/** Attributes of which some certificate has a value. Secrets are not searched by. */
export async function findAttributeFields(executor: Executor) {
  const { rows } = await sql<{
    source: 'data' | 'meta';
    name: string;
    content_type: AttributeContentType;
    label: string;
  }>`
    SELECT DISTINCT ON (d.type, d.name, d.content_type) d.type AS source, d.name, d.content_type, d.label
    FROM attribute_definition d
    WHERE d.type IN ('data', 'meta') AND d.content_type <> 'secret'
      AND EXISTS (SELECT FROM attribute_value v WHERE v.definition_uuid = d.uuid AND v.object_resource = 'certificates')
    ORDER BY d.type, d.name, d.content_type, d.updated_at DESC`.execute(executor);
  return rows;
}
