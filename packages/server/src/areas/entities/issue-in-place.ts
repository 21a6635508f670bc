// Certificates whose key is generated at the location and never leaves it. The location generates the key and the CSR
// only after all other checks have passed, and the certificate is pushed as soon as it is issued.
import {
  entityProviderOperations,
  type GenerateCsrResponseDto,
  type IssueToLocationRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { isOutcomeUnknown } from '../connectors/index.ts';
import type { HeldCertificates } from '../inventory/index.ts';
import { csrForm } from './entity-access.ts';
import { forgetEntry } from './forget-entry.ts';
import type { LocationPath } from './locations.ts';
import { isNewEntry, listEntries, removeGeneratedEntry, removeLostEntry } from './generated-entries.ts';
import {
  storePending,
  keyOf,
  pushIfFree,
  certificateToReplace,
  requireUsableLocation,
  type DeploymentParts,
  type Entry,
  type ReachedLocation,
  type Target,
} from './push.ts';
import { requireHeld } from './remove-from-location.ts';
import { findHeld } from './store.ts';
import type { HeldState, LocationRow } from './tables.ts';

export async function issueInPlace(parts: DeploymentParts, path: LocationPath, ordered: IssueOrder): Promise<void> {
  const place = await requireUsableLocation(parts, path);
  assertGeneratesKeys(place.location);
  await parts.turns.take(place.location, { kind: 'issue', context: ordered.context }, () =>
    issueNow(parts, place, ordered),
  );
}

interface IssueOrder {
  readonly request: IssueToLocationRequestDto;
  readonly context: RequestContext;
}

async function issueNow(
  parts: DeploymentParts,
  place: ReachedLocation,
  { request, context }: IssueOrder,
): Promise<void> {
  const { access, certificates, platform } = parts;
  const { location } = place;
  const { replace } = request;
  const replaces = certificateToReplace(location, await findHeld(platform.database.executor, [location.uuid]), {
    replace,
  });
  const given = { requested: request.csrAttributes, caller: context };
  const csr = await access.accept(location.entity_uuid, csrForm, given);
  const {
    raProfileUuid,
    issueAttributes: attributes,
    customAttributes = [],
    certificateCustomAttributes = [],
  } = request;
  const asked = {
    raProfileUuid,
    attributes,
    customAttributes: mergeValues(customAttributes, certificateCustomAttributes),
  };
  await issueAndPush(parts, place, {
    csr,
    renewal: false,
    replaces,
    issue: (made) => certificates.issue({ ...asked, ...made }, context),
    context,
  });
}

/** Renews a certificate in a location, with either a new key or the location's existing key; returns the successor. */
export async function renewInPlace(parts: DeploymentParts, target: Target, context: RequestContext): Promise<string> {
  const begunAt = parts.platform.clock.now();
  const place = await requireUsableLocation(parts, target);
  assertGeneratesKeys(place.location);
  const certificate = await parts.certificates.require(target.certificateUuid);
  const turn = { kind: 'renew', certificateUuid: certificate.uuid, context } as const;
  const order = { begunAt, context };
  return parts.turns.take(place.location, turn, () => renewNow(parts, { ...place, certificate }, order));
}

interface RenewOrder {
  readonly begunAt: Date;
  readonly context: RequestContext;
}

async function renewNow(parts: DeploymentParts, entry: Entry, { begunAt, context }: RenewOrder): Promise<string> {
  const { certificates, values } = parts;
  const { location, certificate } = entry;
  const successor = await findCurrentSuccessor(parts, entry, begunAt);
  if (successor !== undefined) return successor;
  await requireHeld(parts, entry, certificate.uuid);
  const csr = await values.readOf(keyOf(entry), 'csr');
  if (csr.length === 0)
    throw rejected(
      `Cannot renew ${certificate.title} in location ${location.name}: the attributes of its CSR were not recorded. Issue a new certificate to the location instead.`,
    );
  const issue = (made: InPlaceRequest) => certificates.succeed(certificate.uuid, made, context);
  return issueAndPush(parts, entry, { csr, renewal: true, replaces: certificate.uuid, issue, context });
}

/** Returns a certificate's pending successor, or a successor that has replaced it since the renewal was requested. */
async function findCurrentSuccessor(
  { platform, certificates }: DeploymentParts,
  { location, certificate }: Entry,
  begunAt: Date,
): Promise<string | undefined> {
  const { executor } = platform.database;
  const held = await findHeld(executor, [location.uuid]);
  const next = held.find(({ replaces_uuid: of, state }) => of === certificate.uuid && ON_ITS_WAY.has(state));
  if (next) return next.certificate_uuid;
  const isThere = held.some(({ certificate_uuid: uuid, state }) => uuid === certificate.uuid && state !== 'replaced');
  if (isThere) return undefined;
  const successors = await certificates.successorsOf(certificate.uuid);
  const there = held.find(({ certificate_uuid: uuid, changed_at: at }) => successors.includes(uuid) && at >= begunAt);
  return there?.certificate_uuid;
}

const ON_ITS_WAY: ReadonlySet<HeldState> = new Set(['waiting', 'pushing']);

type InPlaceRequest = Parameters<HeldCertificates['succeed']>[1];

interface GeneratedRequest extends GenerateCsrResponseDto {
  /** The metadata identifies an entry that did not exist in the location before. */
  readonly isNew: boolean;
}

interface GenerationSpec {
  readonly csr: readonly RequestAttributeDto[];
  readonly renewal: boolean;
  readonly context: RequestContext;
}

async function generateRequest(
  parts: DeploymentParts,
  place: ReachedLocation,
  { csr, renewal, context }: GenerationSpec,
): Promise<GeneratedRequest> {
  const { values, platform } = parts;
  const { location, reached } = place;
  const locationAttributes = await values.toSend(location.uuid, reached.entity.connector_uuid);
  // A renewal applies to an entry in use; nothing it creates is ever removed.
  const before = renewal ? undefined : await listEntries(parts, place, { locationAttributes, context });
  const body = { locationAttributes, csrAttributes: [...csr], renewal };
  const { generateCsrLocation } = entityProviderOperations;
  const { client, params } = reached;
  const answer = await client
    .call(generateCsrLocation, { params, body }, { signal: context.signal })
    .catch(async (error: unknown) => {
      // The key may exist although its CSR was lost.
      if (before && isOutcomeUnknown(error)) await removeLostEntry(parts, place, { before, context });
      throw error;
    });
  platform.faultPoint('entities.afterRequest');
  return { ...answer, isNew: isNewEntry(before, answer.metadata ?? []) };
}

interface IssuanceSpec extends GenerationSpec {
  readonly replaces: string | null;
  readonly issue: (made: InPlaceRequest) => ReturnType<HeldCertificates['issue']>;
}

/**
 * Issues a certificate for a CSR generated by the location, and pushes it. The pending entry is written in the same
 * transaction as the reservation, so the certificate reaches the location once it is issued, even if the process stops
 * before then.
 */
async function issueAndPush(
  parts: DeploymentParts,
  place: ReachedLocation,
  { csr, renewal, replaces, issue, context }: IssuanceSpec,
): Promise<string> {
  let made: GeneratedRequest | undefined;
  let certificateUuid: string | undefined;
  const making: InPlaceRequest = {
    request: async () => {
      made = await generateRequest(parts, place, { csr, renewal, context });
      return made.csr;
    },
    withReservation: async (tx, uuid) => {
      certificateUuid = uuid;
      const { pushAttributes: push = [], metadata = [], isNew: madeEntry = false } = made ?? {};
      const noted = {
        certificateUuid: uuid,
        state: 'waiting',
        push,
        csr,
        replaces,
        metadata,
        madeEntry,
        context,
      } as const;
      await storePending(tx, parts, place, noted);
    },
  };
  try {
    const { uuid, der, undecided } = await issue(making);
    if (der) await pushIfFree(parts, { ...place, certificate: await parts.certificates.require(uuid) }, context);
    if (undecided) throw undecided;
    return uuid;
  } catch (error) {
    if (made) await abandon(parts, place, { made, certificateUuid, context });
    throw error;
  }
}

/** Removes the created entry if it is certain that no certificate will be issued for it. */
async function abandon(
  parts: DeploymentParts,
  place: ReachedLocation,
  { made, certificateUuid, context }: { readonly made: GeneratedRequest; readonly certificateUuid: string | undefined; readonly context: RequestContext }, // prettier-ignore
): Promise<void> {
  const { certificates, platform } = parts;
  const { executor } = platform.database;
  const uuids = certificateUuid === undefined ? [] : [certificateUuid];
  const [certificate] = await certificates.find(executor, uuids);
  if (!certificate) {
    if (made.isNew) await removeGeneratedEntry(parts, place, { metadata: made.metadata ?? [], context });
    return;
  }
  if (certificate.state !== 'failed' && certificate.state !== 'rejected') return;
  const row = (await findHeld(executor, [place.location.uuid])).find(
    (each) => each.certificate_uuid === certificate.uuid,
  );
  if (row) await forgetEntry(parts, place, { row, context });
}

function assertGeneratesKeys({ name, key_management: makesKeys }: LocationRow): void {
  if (!makesKeys)
    throw rejected(
      `Cannot issue to location ${name}: it does not support key generation. Issue the certificate elsewhere and push it.`,
    );
}

/** Values of the second list take precedence. */
const mergeValues = (
  first: readonly RequestAttributeDto[],
  second: readonly RequestAttributeDto[],
): RequestAttributeDto[] => [...first.filter(({ name }) => !second.some((other) => other.name === name)), ...second];
