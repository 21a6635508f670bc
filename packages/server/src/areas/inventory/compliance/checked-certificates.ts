// Certificates and requests for whoever checks their compliance: what is checked, by which conditions, and the status.
import type { CertificateChoice, ComplianceStatus, ConditionItemDto } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import { evaluatedObjects, type EvaluatedObjects } from '../../../platform/database/filter/read-values.ts';
import type { SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { shownCertificates } from '../../certificates/index.ts';
import { certificateSource, type CertificateFields } from '../search/search-fields.ts';
import { lookUpText, readSelection, searchRunner } from '../search/search.ts';
import { findKeys } from '../search/store-order.ts';
import { countSelected } from '../search/store.ts';
import { requestFields } from './request-fields.ts';
import * as store from './store.ts';

export type CertificateSubject = 'certificates' | 'certificateRequests';

/** A certificate, or the request of one that has no content yet. */
export interface CheckedCertificate {
  readonly subject: CertificateSubject;
  /** Of the certificate or the request. */
  readonly uuid: string;
  /** The common name, which may be empty. */
  readonly name: string;
  readonly raProfileUuid: string | null;
  readonly type: 'X.509';
  readonly format: 'pkcs10' | 'crmf' | undefined;
  readonly data: Buffer;
}

/** Conditions of rules, which hold together. */
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
    /** Refuses conditions that this caller could not search by. */
    assertConditions: (conditions: RuleConditions, context: RequestContext): void => void read(conditions, context),

    /** As the caller's conditions see them. */
    evaluated: (context: RequestContext): EvaluatedObjects =>
      evaluatedObjects(fields(context).lookup, certificateSource),

    /** Names of those of the certificates that the caller may look at. */
    async findShown(uuids: readonly string[], context: RequestContext): Promise<ReadonlyMap<string, string>> {
      const shown = await shownCertificates(database.executor, uuids, context);
      return evaluatedObjects(fields(context).lookup, certificateSource).findNames(database.executor, [...shown]);
    },

    /** The first certificates that the caller's list with this choice shows, and how many it shows, up to `counted`. */
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

    /** What decides whose triggers are asked about them. */
    findScopes: (executor: Executor, uuids: readonly string[]) => store.findScopes(executor, uuids),

    /** Those of the objects that fulfil the conditions now. */
    async fulfilling(conditions: RuleConditions, uuids: readonly string[]): Promise<ReadonlySet<string>> {
      const compiled = read(conditions, coreContext(newUuid()));
      const find = conditions.subject === 'certificates' ? store.findFulfilling : store.findFulfillingRequests;
      return new Set(
        await runSearch({ database, conditions: compiled }, (executor) => find(executor, compiled, uuids)),
      );
    },

    /** Archived ones, and those without content and request, are left out. */
    find: async (uuids: readonly string[]): Promise<CheckedCertificate[]> =>
      (await store.findChecked(database.executor, uuids)).flatMap((row) => checkedOf(row) ?? []),

    findRequests: async (uuids: readonly string[]): Promise<CheckedCertificate[]> => {
      const found = new Map<string, CheckedCertificate>();
      for (const row of await store.findOfRequests(database.executor, uuids)) {
        const request = requestOf(row);
        if (request && !found.has(request.uuid)) found.set(request.uuid, request);
      }
      return [...found.values()];
    },

    existing: (uuids: readonly string[]) => store.findExisting(database.executor, uuids),
    certificateOfRequest: (uuid: string) => store.findCertificateOfRequest(database.executor, uuid),
    nextOfProfiles: (place: Parameters<typeof store.findNextOfProfiles>[1]) =>
      store.findNextOfProfiles(database.executor, place),
    countOfProfiles: (raProfileUuids: readonly string[]) => store.countOfProfiles(database.executor, raProfileUuids),

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
