// Check requests and check results. Access is verified where the objects are looked up.
import type { ComplianceCheckResultDto, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import type { RequestedObjects } from './requested-objects.ts';
import type { Associations } from './associations.ts';
import { statusOf } from './rule-results.ts';
import { presentResult } from './present.ts';
import type { ComplianceRuns, RunRequest } from './runs.ts';
import { profiles } from './store.ts';
import { findResults } from './store-results.ts';
import type { ResultRow, RunScope } from './tables.ts';

export interface CheckServiceParts {
  readonly runs: Pick<ComplianceRuns, 'begin'>;
  readonly associations: Pick<Associations, 'find'>;
  readonly certificates: Pick<CheckedCertificates, 'find'>;
  readonly asked: RequestedObjects;
}

export type CheckService = ReturnType<typeof createCheckService>;

export function createCheckService({ database: { executor } }: Platform, parts: CheckServiceParts) {
  const { runs, associations, certificates } = parts;
  const { assertCertificates, certificatesOfRequests, itemsOf, wantedOf } = parts.asked;

  async function checkObjects(resource: Resource, given: readonly string[], context: RequestContext): Promise<void> {
    const uuids = [...new Set(given.map((uuid) => uuid.toLowerCase()))];
    const { wanted, objects } = await wantedOf(resource, uuids, context);
    await runs.begin([wanted], context, objects);
  }

  /** Checks everything that the profiles apply to, or only objects of one resource, or of one type within it. */
  async function checkProfiles(
    given: readonly string[],
    { resource, type }: { readonly resource?: Resource | undefined; readonly type?: string | undefined },
    context: RequestContext,
  ): Promise<void> {
    const uuids = given.map((uuid) => uuid.toLowerCase());
    const rows = await profiles.findMany(executor, uuids);
    const missing = uuids.find((uuid) => !rows.some((row) => row.uuid === uuid));
    if (missing !== undefined) throw notFound(profiles.what, missing);
    const found = await associations.find(uuids);
    const scopeOf = (above: 'raProfiles' | 'tokenProfiles'): RunScope => ({
      profileUuids: [...new Set(found.filter((each) => each.resource === above).map((each) => each.objectUuid))],
      ...(type === undefined ? {} : { type }),
      ...(resource === 'certificateRequests' ? { requestsOnly: true } : {}),
    });
    const isKeys = resource === 'keys' || resource === 'tokenProfiles';
    const wanted: RunRequest[] = [
      ...(isKeys ? [] : [{ subject: 'certificates', scope: scopeOf('raProfiles') } as const]),
      ...(isKeys || resource === undefined ? [{ subject: 'keys', scope: scopeOf('tokenProfiles') } as const] : []),
    ];
    await runs.begin(wanted, context, rows);
  }

  async function resultsOfKey(uuid: string, context: RequestContext): Promise<readonly ResultRow[]> {
    const items = await itemsOf([uuid], context);
    return findResults(
      executor,
      'keys',
      items.map((item) => item.uuid),
    );
  }

  async function result(resource: Resource, given: string, context: RequestContext): Promise<ComplianceCheckResultDto> {
    const uuid = given.toLowerCase();
    switch (resource) {
      case 'certificates': {
        await assertCertificates([uuid], context);
        const [own] = await findResults(executor, resource, [uuid]);
        const [object] = await certificates.find([uuid]);
        // Until a certificate is issued, the result for its request applies.
        const ofRequest =
          object?.subject === 'certificateRequests' ? await findResults(executor, object.subject, [object.uuid]) : [];
        return presentResult(own ?? ofRequest[0]);
      }
      case 'certificateRequests': {
        await assertCertificates(await certificatesOfRequests([uuid]), context);
        return presentResult((await findResults(executor, resource, [uuid]))[0]);
      }
      case 'keys':
        return presentResult(mergedResult(await resultsOfKey(uuid, context)));
      default:
        throw rejected(`resource: must be certificates, certificateRequests or keys, not ${resource}`);
    }
  }

  return { checkObjects, checkProfiles, result };
}

/** Merges the results for a key's items: a problem with any item is a problem with the key. */
function mergedResult(rows: readonly ResultRow[]): ResultRow | undefined {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return first;
  const rules = rows.flatMap((row) => row.rules);
  const messages = [...new Set(rows.flatMap(({ message }) => message ?? []))];
  const isFailed = rows.some(({ status }) => status === 'failed');
  const hasOk = rows.some(({ status }) => status === 'ok') ? (['ok'] as const) : [];
  return {
    ...first,
    status: isFailed ? 'failed' : statusOf([...rules.map(({ status }) => status), ...hasOk]),
    message: messages.length === 0 ? null : messages.join('\n'),
    rules: [...new Map(rules.map((rule) => [`${rule.uuid} ${rule.status}`, rule])).values()],
  };
}
