// The objects that a check or its result is requested for, limited to objects that the caller can see.
import type { Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import type { CertificateAccess } from '../certificates/index.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import { requirePermission } from '../identity/index.ts';
import type { CheckedKeyItem, CheckedKeys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { RunRequest } from './runs.ts';

export interface RequestedObjectsParts {
  readonly certificates: CheckedCertificates;
  readonly assertVisible: CertificateAccess;
  readonly keys: CheckedKeys;
  readonly raProfiles: Pick<RaProfiles, 'findMany'>;
  readonly tokens: Pick<Tokens, 'requireProfile'>;
}

/** The run to start, and the objects named in its audit record. */
interface CheckRequest {
  readonly wanted: RunRequest;
  readonly objects: readonly { readonly uuid: string; readonly name: string }[];
}

export type RequestedObjects = ReturnType<typeof createRequestedObjects>;

export function createRequestedObjects(parts: RequestedObjectsParts) {
  const sight = createVisibilityChecks(parts);
  return { ...sight, wantedOf: createRunRequests(parts, sight) };
}

function createVisibilityChecks(parts: RequestedObjectsParts) {
  const { certificates, keys } = parts;

  /** Throws 404 unless the certificates exist and the caller can see them. */
  async function assertCertificates(uuids: readonly string[], context: RequestContext): Promise<void> {
    requirePermission(context, { resource: 'certificates', action: 'detail' });
    await parts.assertVisible(uuids, { context, action: 'detail' });
    const existing = await certificates.existing(uuids);
    const missing = uuids.find((uuid) => !existing.has(uuid));
    if (missing !== undefined) throw notFound('Certificate', missing);
  }

  async function certificatesOfRequests(uuids: readonly string[]): Promise<string[]> {
    return Promise.all(
      uuids.map(async (uuid) => {
        const certificate = await certificates.certificateOfRequest(uuid);
        if (certificate === undefined) throw notFound('Certificate request', uuid);
        return certificate;
      }),
    );
  }

  /** Returns key items, which can also be specified by their keys. */
  async function itemsOf(uuids: readonly string[], context: RequestContext): Promise<readonly CheckedKeyItem[]> {
    const items = await keys.find(await keys.itemsOf(uuids));
    const known = new Set(items.flatMap(({ uuid, keyUuid }) => [uuid, keyUuid]));
    const missing = uuids.find((uuid) => !known.has(uuid));
    if (missing !== undefined) throw notFound('Key', missing);
    for (const { keyUuid } of items)
      requirePermission(context, { resource: 'keys', action: 'detail', objects: [keyUuid] });
    return items;
  }

  async function raProfilesOf(uuids: readonly string[], context: RequestContext) {
    requirePermission(context, { resource: 'raProfiles', action: 'checkCompliance', objects: uuids });
    const rows = await parts.raProfiles.findMany(uuids);
    const missing = uuids.find((uuid) => !rows.some((row) => row.uuid === uuid));
    if (missing !== undefined) throw notFound('RA profile', missing);
    return rows;
  }

  return { assertCertificates, certificatesOfRequests, itemsOf, raProfilesOf };
}

function createRunRequests(
  { certificates, tokens }: RequestedObjectsParts,
  { assertCertificates, certificatesOfRequests, itemsOf, raProfilesOf }: ReturnType<typeof createVisibilityChecks>,
) {
  /** Returns the work of a run for the given objects of a resource. */
  return async function wantedOf(
    resource: Resource,
    uuids: readonly string[],
    context: RequestContext,
  ): Promise<CheckRequest> {
    switch (resource) {
      case 'certificates':
        await assertCertificates(uuids, context);
        return {
          wanted: { subject: resource, scope: { uuids } },
          objects: toNamedObjects(await certificates.find(uuids)),
        };
      case 'certificateRequests':
        await assertCertificates(await certificatesOfRequests(uuids), context);
        return {
          wanted: { subject: resource, scope: { uuids } },
          objects: toNamedObjects(await certificates.findRequests(uuids)),
        };
      case 'keys': {
        const items = await itemsOf(uuids, context);
        const scope = { uuids: items.map(({ uuid }) => uuid) };
        return { wanted: { subject: resource, scope }, objects: toNamedObjects(items) };
      }
      case 'raProfiles': {
        const objects = toNamedObjects(await raProfilesOf(uuids, context));
        return { wanted: { subject: 'certificates', scope: { profileUuids: uuids } }, objects };
      }
      case 'tokenProfiles': {
        requirePermission(context, { resource, action: 'detail', objects: uuids });
        const rows = await Promise.all(uuids.map((profileUuid) => tokens.requireProfile({ profileUuid })));
        return { wanted: { subject: 'keys', scope: { profileUuids: uuids } }, objects: toNamedObjects(rows) };
      }
      default:
        throw rejected(
          `resource: must be certificates, certificateRequests, keys, raProfiles or tokenProfiles, not ${resource}`,
        );
    }
  };
}

const toNamedObjects = (objects: readonly { readonly uuid: string; readonly name: string }[]) =>
  objects.map(({ uuid, name }) => ({ uuid, name }));
