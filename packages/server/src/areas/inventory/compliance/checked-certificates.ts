// Certificates and CSRs for compliance checks: the objects to check, rule conditions and the resulting status.
import type { CertificateChoice, ComplianceStatus, ConditionItemDto } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import { evaluatedObjects, type EvaluatedObjects } from '../../../platform/database/filter/read-values.ts';
import type { SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findVisibleCertificates } from '../../certificates/index.ts';
import { certificateSource, type CertificateFields } from '../search/search-fields.ts';
import { lookUpText, readSelection, searchRunner } from '../search/search.ts';
import { findKeys } from '../search/store-order.ts';
import { countSelected } from '../search/store.ts';
import { requestFields } from './request-fields.ts';
import * as store from './store.ts';

export type CertificateSubject = 'certificates' | 'certificateRequests';

/** A certificate, or its CSR if it has no content yet. */
export interface CheckedCertificate {
  readonly subject: CertificateSubject;
  /** Identifier of the certificate or CSR. */
  readonly uuid: string;
  /** Common name; may be empty. */
  readonly name: string;
  readonly raProfileUuid: string | null;
  readonly type: 'X.509';
  readonly format: 'pkcs10' | 'crmf' | undefined;
  readonly data: Buffer;
}

/** Rule conditions, all of which must match. */
export interface RuleConditions {
  readonly subject: CertificateSubject;
  readonly items: readonly ConditionItemDto[];
}

export type CheckedCertificates = ReturnType<typeof createCheckedCertificates>;

export function createCheckedCertificates(platform: Platform, { fields }: { readonly fields: CertificateFields }) {
  const { database, clock } = platform;
  const fieldsOf = (subject: CertificateSubject, context: RequestContext): SqlFields =>
    subject === 'certificates' ? fields(context) : requestFields;

  const read = ({ subject, items }: RuleConditions, context: RequestContext) =>
    readFilters(
      items.map(({ operator: condition, ...item }) => ({ ...item, condition })),
      { lookup: fieldsOf(subject, context).lookup, now: clock.now() },
    );

  return {
    /** Rejects conditions that this caller could not use in a search. */
    assertConditions: (conditions: RuleConditions, context: RequestContext): void => void read(conditions, context),

    /** Returns the objects that the caller's conditions are evaluated on. */
    evaluated: (context: RequestContext): EvaluatedObjects =>
      evaluatedObjects(fields(context).lookup, certificateSource),

    /** Returns the names of the certificates that the caller can view. */
    async findShown(uuids: readonly string[], context: RequestContext): Promise<ReadonlyMap<string, string>> {
      const shown = await findVisibleCertificates(database.executor, uuids, context);
      return evaluatedObjects(fields(context).lookup, certificateSource).findNames(database.executor, [...shown]);
    },

    /**
     * Returns the first certificates of this selection that the caller can list, and the number of such certificates,
     * counted up to `counted`.
     */
    findChosen(
      choice: CertificateChoice,
      context: RequestContext,
      { limit, counted }: { readonly limit: number; readonly counted: number },
    ): Promise<{ readonly uuids: readonly string[]; readonly found: number }> {
      const selection = readSelection(choice, { fields: fields(context), now: clock.now(), context });
      return searchRunner(
        platform,
        selection,
      )(async (executor) => {
        const query = await lookUpText(executor, selection);
        const uuids = await findKeys(executor, query, { offset: 0, limit });
        const found = uuids.length < limit ? uuids.length : await countSelected(executor, query, counted);
        return { uuids, found };
      });
    },

    /** Returns the RA profiles and groups that determine which triggers apply. */
    findScopes: (executor: Executor, uuids: readonly string[]) => store.findScopes(executor, uuids),

    /** Returns the objects that currently match the conditions. */
    async fulfilling(conditions: RuleConditions, uuids: readonly string[]): Promise<ReadonlySet<string>> {
      const compiled = read(conditions, coreContext(newUuid()));
      const find = conditions.subject === 'certificates' ? store.findFulfilling : store.findFulfillingRequests;
      return new Set(
        await runSearch({ database, conditions: compiled }, (executor) => find(executor, compiled, uuids)),
      );
    },

    /** Archived certificates, and those with neither content nor CSR, are omitted. */
    find: async (uuids: readonly string[]): Promise<CheckedCertificate[]> =>
      (await store.findChecked(database.executor, uuids)).flatMap((row) => checkedOf(row) ?? []),

    findRequests: async (uuids: readonly string[]): Promise<CheckedCertificate[]> => {
      const found = new Map<string, CheckedCertificate>();
      for (const row of await store.findByRequests(database.executor, uuids)) {
        const request = requestOf(row);
        if (request && !found.has(request.uuid)) found.set(request.uuid, request);
      }
      return [...found.values()];
    },

    existing: (uuids: readonly string[]) => store.findExisting(database.executor, uuids),
    certificateOfRequest: (uuid: string) => store.findCertificateOfRequest(database.executor, uuid),
    nextOfProfiles: (place: Parameters<typeof store.findNextByProfiles>[1]) =>
      store.findNextByProfiles(database.executor, place),
    countOfProfiles: (raProfileUuids: readonly string[]) => store.countByProfiles(database.executor, raProfileUuids),

    setStatus: (tx: Executor, subject: CertificateSubject, uuids: readonly string[], status: ComplianceStatus) =>
      store.setStatus(tx, {
        table: subject === 'certificates' ? 'certificate' : 'certificate_request',
        uuids,
        status,
      }),
  };
}

function checkedOf(row: store.CheckedRow): CheckedCertificate | undefined {
  if (row.certificate_der === null) return requestOf(row);
  const { uuid, common_name: name, ra_profile_uuid: raProfileUuid, certificate_der: data } = row;
  return { subject: 'certificates', uuid, name, raProfileUuid, type: 'X.509', format: undefined, data };
}

function requestOf({
  request_uuid: uuid,
  common_name: name,
  request_der: data,
  request_format: format,
  ra_profile_uuid: raProfileUuid,
}: store.CheckedRow): CheckedCertificate | undefined {
  if (uuid === null || data === null || format === null) return undefined;
  return { subject: 'certificateRequests', uuid, name, raProfileUuid, type: 'X.509', format, data };
}
