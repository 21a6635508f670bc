// Verifies the texts used for free-text search, and the name counts, against the certificates from which they are
// derived.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { DerivedData, Platform, DerivedMismatch } from '../../../platform/platform.ts';

export const createTextUpkeep = ({ database }: Pick<Platform, 'database'>): DerivedData => ({
  name: 'certificate search texts',
  findWrong: () => findMismatches(database.executor),
  repair: () =>
    database.transaction(async (tx) => {
      const wrong = await findMismatches(tx);
      await rewriteTexts(
        tx,
        wrong.map(({ what }) => what),
      );
      return wrong;
    }),
});

async function findMismatches(executor: Executor): Promise<DerivedMismatch[]> {
  const { rows } = await sql<{ what: string; kept: string | null; right: string | null }>`
    SELECT what, kept, "right" FROM (
      SELECT coalesce(c.uuid, t.certificate_uuid)::text AS what,
        t.text || E'\\n' || t.common_name || E'\\n' || t.alternative_names || E'\\n' || t.archived AS kept,
        certificate_text_of(c.common_name, c.subject_dn, c.subject_alternative_names) || E'\\n' || c.common_name
          || E'\\n' || c.subject_alternative_names::text || E'\\n' || c.archived AS "right"
      FROM certificate c FULL JOIN certificate_text t ON t.certificate_uuid = c.uuid) AS both_sides
    WHERE kept IS DISTINCT FROM "right" ORDER BY 1`.execute(executor);
  return rows;
}

async function rewriteTexts(tx: Executor, uuids: readonly string[]): Promise<void> {
  await sql`DELETE FROM certificate_text t WHERE t.certificate_uuid = ANY (${uuids}::uuid[])
    AND NOT EXISTS (SELECT FROM certificate c WHERE c.uuid = t.certificate_uuid)`.execute(tx);
  await sql`INSERT INTO certificate_text (certificate_uuid, archived, text, common_name, alternative_names)
    SELECT uuid, archived, certificate_text_of(common_name, subject_dn, subject_alternative_names), common_name,
      subject_alternative_names::text
    FROM certificate WHERE uuid = ANY (${uuids}::uuid[])
    ON CONFLICT (certificate_uuid) DO UPDATE SET archived = EXCLUDED.archived, text = EXCLUDED.text,
      common_name = EXCLUDED.common_name, alternative_names = EXCLUDED.alternative_names`.execute(tx);
}
