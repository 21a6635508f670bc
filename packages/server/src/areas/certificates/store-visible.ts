// SQL condition on `certificate as c`: the caller can see the certificate.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isVisibleObject } from '../groups/index.ts';
import { isUnlimited } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateFilter } from './access.ts';

const columns = {
  resource: 'certificates',
  uuid: sql`c.uuid`,
  container: sql`c.ra_profile_uuid`,
  owner: sql`c.owner_uuid`,
} as const;

export const isVisibleCertificate = ({ raProfiles, ...others }: CertificateFilter): RawBuilder<SqlBool> =>
  isVisibleObject(columns, { ...others, containers: raProfiles });

/** Returns which of these certificates a list would show. */
export async function findListedCertificates(
  executor: Executor,
  uuids: readonly string[],
  visible: CertificateFilter,
): Promise<ReadonlySet<string>> {
  const isShown = isUnlimited(visible.raProfiles) ? sql`true` : isVisibleCertificate(visible);
  const { rows } = await sql<{ uuid: string }>`
    SELECT c.uuid FROM certificate c WHERE c.uuid = ANY(${[...uuids]}::uuid[]) AND ${isShown}`.execute(executor);
  return new Set(rows.map(({ uuid }) => uuid));
}
