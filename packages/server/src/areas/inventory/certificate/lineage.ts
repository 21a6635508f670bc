// All certificates with the same names in chronological order, with their predecessors and requesters.
import { MAX_LINEAGE, type CertificateLineage, type LineageCertificate } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findCertificate, visibleCertificates } from '../../certificates/index.ts';
import { groupsOf } from './present-with-groups.ts';
import { presentFound } from './present.ts';
import { findLineage, findLineageRows, findOrigins, findPredecessors } from './store-lineage.ts';

export function createLineage({ database: { executor } }: Pick<Platform, 'database'>, { limit = MAX_LINEAGE } = {}) {
  /** The caller can see the certificate; related certificates that the caller cannot see are omitted. */
  return async function lineage(wanted: string, context: RequestContext): Promise<CertificateLineage> {
    const uuid = wanted.toLowerCase();
    if (!(await findCertificate(executor, uuid))) throw notFound('Certificate', uuid);
    const visible = visibleCertificates(context, 'detail');
    const found = await findLineage(executor, { uuid, visible, limit: limit + 1 });
    const keys = found.slice(0, limit);
    const [rows, groups, relations, origins] = await Promise.all([
      findLineageRows(executor, keys),
      groupsOf(executor, keys),
      findPredecessors(executor, keys),
      findOrigins(executor, keys),
    ]);
    const known = new Set(rows.map((row) => row.uuid));
    const present = (key: string): LineageCertificate[] => {
      const row = rows.find((each) => each.uuid === key);
      if (!row) return [];
      const origin = origins.find((each) => each.certificate_uuid === key);
      return [
        {
          ...presentFound(row, groups.get(key) ?? []),
          keyFingerprint: row.public_key_fingerprint,
          predecessors: relations
            .filter((each) => each.successor_uuid === key && known.has(each.predecessor_uuid))
            .map((each) => ({ uuid: each.predecessor_uuid, relationType: each.relation_type })),
          ...(origin ? { origin: { event: origin.event, username: origin.created_by } } : {}),
        },
      ];
    };
    return { certificates: keys.flatMap(present), hasMore: found.length > limit };
  };
}
