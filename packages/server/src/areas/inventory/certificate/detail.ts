// Views of a single certificate: details, history, content.
import type { CertificateContentDto, CertificateDetailDto, CertificateEventHistoryDto } from '@signetry/contract';
import { alternativeSpki, parseCertificate } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { Keys } from '../../keys/index.ts';
import { findCertificateRequest, sha256Hex, type CompliancePort, type NameSource } from '../../certificates/index.ts';
import { presentDetail, presentHistory } from './present.ts';
import { groupsOf, presentAll } from './present-with-groups.ts';
import * as store from './store.ts';
import type { DetailRow } from './store.ts';

/** Maximum page size of lists. */
const MAX_CONTENTS = 1_000;

interface DetailParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly names: NameSource;
  readonly keys: Pick<Keys, 'findByPublicKey'>;
  readonly compliance: Pick<CompliancePort, 'failedRulesOf'>;
}

export type CertificateDetails = ReturnType<typeof createCertificateDetails>;

export function createCertificateDetails(parts: DetailParts) {
  const { executor } = parts.platform.database;
  return {
    detail: (uuid: string, context: RequestContext): Promise<CertificateDetailDto> => detail(parts, uuid, context),

    /** Returns certificate details in the requested order; unknown certificates are omitted. */
    async describe(uuids: readonly string[], context: RequestContext): Promise<CertificateDetailDto[]> {
      const known = new Set((await store.findListed(executor, uuids)).map((row) => row.uuid));
      return Promise.all(uuids.filter((uuid) => known.has(uuid)).map((uuid) => detail(parts, uuid, context)));
    },

    async history(uuid: string): Promise<CertificateEventHistoryDto[]> {
      if ((await store.findListed(executor, [uuid])).length === 0) throw notFound('Certificate', uuid);
      return (await store.findHistory(executor, uuid)).map(presentHistory);
    },

    contents: (uuids: readonly string[]): Promise<CertificateContentDto[]> => contents(executor, uuids),
  };
}

async function detail(
  { platform, attributes, names, keys, compliance }: DetailParts,
  uuid: string,
  context: RequestContext,
): Promise<CertificateDetailDto> {
  const { executor } = platform.database;
  const row = await store.findDetail(executor, uuid);
  if (!row) throw notFound('Certificate', uuid);
  const relations = await store.findRelations(executor, uuid);
  const related = relations.map((each) => (each.successor_uuid === uuid ? each.predecessor_uuid : each.successor_uuid));
  const [
    groups,
    request,
    metadata,
    customAttributes,
    issueAttributes,
    revokeAttributes,
    relatedCertificates,
    oids,
    ofKeys,
    nonCompliantRules,
  ] = await Promise.all([
    groupsOf(executor, [uuid]),
    row.request_uuid === null ? undefined : findCertificateRequest(executor, row.request_uuid),
    attributes.readMetadata({ resource: 'certificates', uuid }),
    attributes.customValuesOf('certificates').read(uuid, context),
    attributesOf(attributes, row, 'issue'),
    row.state === 'revoked' ? attributesOf(attributes, row, 'revoke') : [],
    related.length === 0 ? [] : store.findListed(executor, related).then((rows) => presentAll(executor, rows)),
    names(),
    keysOf(keys, row),
    row.compliance_status === 'not_checked' ? [] : compliance.failedRulesOf(uuid),
  ]);
  return presentDetail(row, {
    keyUsage: oids.keyUsage,
    groups: groups.get(uuid) ?? [],
    request,
    metadata,
    customAttributes,
    issueAttributes,
    revokeAttributes,
    relatedCertificates,
    nonCompliantRules,
    ...ofKeys,
    sourceCertificateUuid: relations.find((each) => each.successor_uuid === uuid)?.predecessor_uuid,
  });
}

/** Returns the attributes sent to the authority for the certificate's RA profile. */
const attributesOf = async (attributes: AttributeEngine, row: DetailRow, operation: 'issue' | 'revoke') =>
  row.connector_uuid === null
    ? []
    : attributes.read({ resource: 'certificates', uuid: row.uuid }, { connectorUuid: row.connector_uuid, operation });

/** Finds the token keys that match a certificate's public keys. */
async function keysOf({ findByPublicKey }: DetailParts['keys'], row: DetailRow) {
  const alternative = row.hybrid_certificate && row.der ? alternativeSpki(parseCertificate(row.der)) : undefined;
  return {
    key: await findByPublicKey(row.public_key_fingerprint),
    altKey: alternative && (await findByPublicKey(sha256Hex(alternative))),
  };
}

/** Unknown certificates and those without content are omitted. */
async function contents(executor: Executor, uuids: readonly string[]): Promise<CertificateContentDto[]> {
  if (uuids.length > MAX_CONTENTS)
    throw new AppError('invalid_fields', {
      problems: [`uuids: a request can list at most ${MAX_CONTENTS} certificates`],
    });
  const rows = await store.findContents(executor, uuids);
  return rows.map((row) => ({
    uuid: row.uuid,
    commonName: row.common_name,
    serialNumber: row.serial_number ?? '',
    certificateContent: row.der.toString('base64'),
  }));
}
