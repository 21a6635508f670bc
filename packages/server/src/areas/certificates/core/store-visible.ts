// What a caller may see of the inventory, as a condition of SQL on `certificate as c`.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isVisibleObject } from '../../groups/index.ts';
import type { CertificateFilter } from './access.ts';

const columns = {
  resource: 'certificates',
  uuid: sql`c.uuid`,
  container: sql`c.ra_profile_uuid`,
  owner: sql`c.owner_uuid`,
} as const;

export const isVisibleCertificate = ({ raProfiles, ...others }: CertificateFilter): RawBuilder<SqlBool> =>
  isVisibleObject(columns, { ...others, containers: raProfiles });
