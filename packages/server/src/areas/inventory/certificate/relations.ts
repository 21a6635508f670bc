// Successors and predecessors of a certificate, which users can view, add and remove. Relations from renewals and
// rekeys are recorded during issuance.
import type { CertificateRelationsDto, CertificateSimpleDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import {
  assertChangeable,
  certificateName,
  findCertificate,
  recordEvent,
  relationTypeOf,
  findVisibleCertificates,
  shownState,
  type CertificateRow,
} from '../../certificates/index.ts';
import { lockRows } from './store-changes.ts';
import { deleteRelation, findRelated, findRelationOf, insertRelation, type RelatedRow } from './store-relations.ts';

export interface RelationParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
}

/** Path parameters: the certificate, and the certificate to associate with it. */
export type Pair = readonly [uuid: string, other: string];

interface Succession {
  readonly successor: CertificateRow;
  readonly predecessor: CertificateRow;
}

export function createRelations(parts: RelationParts) {
  const { database } = parts.platform;
  return {
    /** Certificates that the caller cannot see are omitted. */
    async relations(wanted: string, context: RequestContext): Promise<CertificateRelationsDto> {
      const { executor } = database;
      const uuid = wanted.toLowerCase();
      if (!(await findCertificate(executor, uuid))) throw notFound('Certificate', uuid);
      const rows = await findRelated(executor, uuid);
      const related = rows.map((row) => row.uuid);
      const shown = await findVisibleCertificates(executor, related, context);
      const seen = rows.filter((row) => shown.has(row.uuid));
      return {
        certificateUuid: uuid,
        successorCertificates: seen.filter((row) => row.predecessor_uuid === uuid).map(presentSimple),
        predecessorCertificates: seen.filter((row) => row.predecessor_uuid !== uuid).map(presentSimple),
      };
    },

    associate: (pair: Pair, context: RequestContext): Promise<void> =>
      database.transaction(async (tx) => {
        const rows = await lockPair(tx, pair);
        const succession = orderPair(rows);
        rejectUnsuitable(succession);
        if (await findRelationOf(tx, pair))
          throw new AppError('already_exists', {
            what: `The relation between ${certificateName(succession.successor)} and`,
            name: certificateName(succession.predecessor),
          });
        const { successor, predecessor } = succession;
        const relation_type = successor.not_before === null ? 'pending' : relationTypeOf(predecessor, successor);
        const created_at = parts.platform.clock.now();
        await insertRelation(tx, {
          successor_uuid: successor.uuid,
          predecessor_uuid: predecessor.uuid,
          relation_type,
          created_at,
        });
        await record(tx, parts, { ...succession, operation: 'associate', context });
      }),

    dissociate: (pair: Pair, context: RequestContext): Promise<void> =>
      database.transaction(async (tx) => {
        const rows = await lockPair(tx, pair);
        const relation = await findRelationOf(tx, pair);
        if (!relation) throw notFound('Relation with certificate', pair[1]);
        if (relation.relation_type === 'pending')
          throw rejected(
            `${certificateName(rows[0])} and ${certificateName(rows[1])} are part of a renewal in progress.`,
          );
        await deleteRelation(tx, relation);
        const [successor, predecessor] = relation.successor_uuid === rows[0].uuid ? rows : [rows[1], rows[0]];
        await record(tx, parts, { successor, predecessor, operation: 'disassociate', context });
      }),
  };
}

async function lockPair(tx: Executor, [uuid, other]: Pair): Promise<readonly [CertificateRow, CertificateRow]> {
  if (uuid === other) throw rejected('certificateUuid: a certificate cannot be associated with itself');
  const rows = await lockRows(tx, [uuid, other]);
  const of = (wanted: string): CertificateRow => {
    const row = rows.find((each) => each.uuid === wanted);
    if (!row) throw notFound('Certificate', wanted);
    assertChangeable(row);
    return row;
  };
  return [of(uuid), of(other)];
}

/**
 * The certificate with the later notBefore is the successor. A certificate that has not been issued yet is considered
 * the later one.
 */
function orderPair([one, other]: readonly [CertificateRow, CertificateRow]): Succession {
  const beginOf = ({ not_before }: CertificateRow): number => not_before?.getTime() ?? Number.POSITIVE_INFINITY;
  return beginOf(one) >= beginOf(other)
    ? { successor: one, predecessor: other }
    : { successor: other, predecessor: one };
}

function rejectUnsuitable({ successor, predecessor }: Succession): void {
  const names = `${certificateName(successor)} cannot succeed ${certificateName(predecessor)}`;
  if (kindOf(successor) !== kindOf(predecessor) && successor.subject_type !== null)
    throw rejected(`${names}: both must be end-entity certificates, or CA certificates of the same kind`);
  if (predecessor.state !== 'issued' && predecessor.state !== 'revoked')
    throw rejected(
      `${names}: ${certificateName(predecessor)} is ${predecessor.state}, and only issued certificates can be succeeded`,
    );
  if (successor.state === 'failed' || successor.state === 'rejected')
    throw rejected(`${names}: it is ${successor.state} and was never issued`);
}

/** Treats a self-signed end-entity certificate as an end-entity certificate. */
const kindOf = ({ subject_type }: CertificateRow) =>
  subject_type === 'selfSignedEndEntity' ? 'endEntity' : subject_type;

async function record(
  tx: Executor,
  { platform, audit }: RelationParts,
  facts: Succession & { readonly operation: 'associate' | 'disassociate'; readonly context: RequestContext },
): Promise<void> {
  const { successor, predecessor, operation, context } = facts;
  const words =
    operation === 'associate' ? ['Succeeds', 'Succeeded by'] : ['No longer succeeds', 'No longer succeeded by'];
  const entry = { event: 'Update Entity', status: 'SUCCESS' } as const;
  await recordEvent(
    tx,
    { audit, context, at: platform.clock.now() },
    {
      operation,
      history: [
        { ...entry, certificate_uuid: successor.uuid, message: `${words[0]} ${certificateName(predecessor)}`, additional: { predecessorUuid: predecessor.uuid } },
        { ...entry, certificate_uuid: predecessor.uuid, message: `${words[1]} ${certificateName(successor)}`, additional: { successorUuid: successor.uuid } },
      ], // prettier-ignore
      objects: [successor, predecessor].map((row) => ({ uuid: row.uuid, name: row.common_name })),
    },
  );
}

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined;

const presentSimple = (row: RelatedRow): CertificateSimpleDto => ({
  uuid: row.uuid,
  certificateType: row.certificate_type,
  state: shownState(row),
  relationType: row.relation_type,
  commonName: row.common_name,
  subjectDn: row.subject_dn,
  issuerCommonName: orUndefined(row.issuer_common_name),
  issuerDn: orUndefined(row.issuer_dn),
  serialNumber: orUndefined(row.serial_number),
  fingerprint: orUndefined(row.fingerprint),
  publicKeyAlgorithm: row.public_key_algorithm,
  altPublicKeyAlgorithm: orUndefined(row.alt_public_key_algorithm),
  signatureAlgorithm: orUndefined(row.signature_algorithm),
  altSignatureAlgorithm: orUndefined(row.alt_signature_algorithm),
  notBefore: row.not_before?.toISOString(),
  notAfter: row.not_after?.toISOString(),
});
