// What is put into locations and taken out of them. An entry is written down before the provider is asked, so that a
// crash in between leaves something that is looked for again: the content of the location then says what became of it.
import {
  entityProviderOperations,
  type IssueToLocationRequestDto,
  type MetadataAttribute,
  type PushToLocationRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError, isAppError, problemsOf, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { HeldCertificate, HeldCertificates } from '../certificates/index.ts';
import { isOutcomeUnknown } from '../connectors/index.ts';
import { nameOf, type Contents } from './contents.ts';
import { csrForm, pushForm, type EntityAccess, type ReachedEntity } from './entity-access.ts';
import { assertEnabled, type LocationPath, type LocationService } from './locations.ts';
import type { LocationValues } from './location-values.ts';
import { claimHeld, findHeld, findInState, keepHeld, locations } from './store.ts';
import type { HeldRow, LocationRow } from './tables.ts';

const provider = entityProviderOperations;

/** Certificates that wait are looked for this often. */
const PERIOD_MS = 2_000;
/** Longer than a push may take: only a process that died leaves one unanswered until then. */
const UNANSWERED_MS = 300_000;
/** Entries of one look. */
const BATCH = 100;

export interface DeploymentParts {
  readonly audit: AuditTrail;
  readonly access: EntityAccess;
  readonly values: LocationValues;
  readonly contents: Contents;
  readonly certificates: HeldCertificates;
  readonly locations: Pick<LocationService, 'require'>;
}

interface Target extends LocationPath {
  readonly certificateUuid: string;
}

interface Entry {
  readonly location: LocationRow;
  readonly reached: ReachedEntity;
  readonly certificate: HeldCertificate;
}

export type Deployments = ReturnType<typeof createDeployments>;

export function createDeployments(platform: Platform, parts: DeploymentParts) {
  const { database, clock, log } = platform;
  const { audit, access, values, contents, certificates } = parts;

  async function usable(path: LocationPath): Promise<{ location: LocationRow; reached: ReachedEntity }> {
    const location = await parts.locations.require(path);
    assertEnabled(location);
    return { location, reached: await access.reach(location.entity_uuid) };
  }

  async function push(target: Target, body: PushToLocationRequestDto, context: RequestContext): Promise<void> {
    const { location, reached } = await usable(target);
    const certificate = await certificates.require(target.certificateUuid);
    assertPushable(certificate);
    const held = await findHeld(database.executor, [location.uuid]);
    assertRoom(location, held, certificate);
    const accepted = await access.accept(location.entity_uuid, pushForm, { requested: body.attributes, caller: context }); // prettier-ignore
    const known = held.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
    const csr = known ? await values.readOf(keyOf({ location, reached, certificate }), 'csr') : [];
    const isIssued = certificate.state === 'issued';
    const entry = { location, reached, certificate };
    await note(entry, { state: isIssued ? 'pushing' : 'waiting', push: accepted, csr, replaces: null }, context);
    if (isIssued) await carryOut(entry, context);
  }

  interface Noted {
    readonly state: 'waiting' | 'pushing';
    readonly push: readonly RequestAttributeDto[];
    readonly csr: readonly RequestAttributeDto[];
    /** The certificate whose place it takes. */
    readonly replaces: string | null;
    readonly metadata?: readonly MetadataAttribute[];
  }

  const note = (entry: Entry, { state, push: pushed, csr, replaces, metadata = [] }: Noted, context: RequestContext) =>
    database.transaction(async (tx) => {
      const { location, certificate } = entry;
      await locations.lock(tx, location.uuid);
      await keepHeld(tx, {
        location_uuid: location.uuid,
        certificate_uuid: certificate.uuid,
        state,
        with_key: false,
        metadata,
        replaces_uuid: replaces,
        requested_by: nameOf(context),
        problem: null,
        changed_at: clock.now(),
      });
      await values.keepOf(tx, keyOf(entry), { push: pushed, csr });
      if (context.actor.type === 'user') await audit.append(tx, context, { objects: [location] });
    });

  /** Pushes what is noted as being pushed. */
  async function carryOut(entry: Entry, context: RequestContext): Promise<void> {
    const { location, reached, certificate } = entry;
    const { client, params, entity } = reached;
    try {
      const body = {
        certificate: Buffer.from(await certificates.content(certificate.uuid)).toString('base64'),
        certificateType: 'X.509' as const,
        locationAttributes: await values.toSend(location.uuid, entity.connector_uuid),
        pushAttributes: await values.readOf(keyOf(entry), 'push'),
      };
      const answer = await client.call(provider.pushCertificateToLocation, { params, body }, { signal: context.signal });
      await settle(entry, { answer });
    } catch (error) {
      if (!isAppError(error)) throw error;
      // Without an answer nobody knows; the content of the location tells, when it is read next.
      if (!isOutcomeUnknown(error)) await settle(entry, { problem: problemsOf(error).join('; ') });
      throw error;
    }
  }

  type Outcome =
    | { readonly answer: { readonly certificateMetadata?: MetadataAttribute[] | undefined; readonly withKey?: boolean | undefined } } // prettier-ignore
    | { readonly problem: string };

  async function settle({ location, reached, certificate }: Entry, outcome: Outcome): Promise<void> {
    await database.transaction(async (tx) => {
      const at = clock.now();
      const failed = 'problem' in outcome;
      const key = { location_uuid: location.uuid, certificate_uuid: certificate.uuid };
      const row = await claimHeld(tx, key, { from: 'pushing', to: failed ? 'failed' : 'installed', at });
      if (!row) return;
      const answered = failed ? { problem: outcome.problem } : { with_key: outcome.answer.withKey ?? row.with_key, metadata: outcome.answer.certificateMetadata ?? row.metadata }; // prettier-ignore
      await keepHeld(tx, { ...row, ...answered, replaces_uuid: failed ? row.replaces_uuid : null });
      if (!failed && row.replaces_uuid !== null && row.replaces_uuid !== certificate.uuid)
        await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid: reached.entity.connector_uuid, gone: [row.replaces_uuid] }); // prettier-ignore
      const message = failed
        ? `Not pushed to location ${location.name}: ${outcome.problem}`
        : `Pushed to location ${location.name}`;
      await certificates.tell(tx, { uuid: certificate.uuid, failed, message }, { at, by: row.requested_by });
    });
  }

  /** Makes a key where the location is, has a certificate issued for it, and pushes that as soon as it is there. */
  async function issue(path: LocationPath, request: IssueToLocationRequestDto, context: RequestContext): Promise<void> {
    const { location, reached } = await usable(path);
    assertMakesKeys(location);
    assertRoom(location, await findHeld(database.executor, [location.uuid]));
    const csr = await access.accept(location.entity_uuid, csrForm, { requested: request.csrAttributes, caller: context }); // prettier-ignore
    const made = await makeRequest({ location, reached }, csr, { renewal: false, context });
    const customAttributes = merged(request.customAttributes ?? [], request.certificateCustomAttributes ?? []);
    const { raProfileUuid, issueAttributes: attributes } = request;
    const asked = () => certificates.issue({ raProfileUuid, request: made.der, attributes, customAttributes }, context);
    await follow({ location, reached }, { made, csr, replaces: null, asked }, context);
  }

  /** Has what a location holds renewed by the key that the location makes or keeps. */
  async function renew(target: Target, context: RequestContext): Promise<void> {
    const { location, reached } = await usable(target);
    assertMakesKeys(location);
    const certificate = await certificates.require(target.certificateUuid);
    const held = await findHeld(database.executor, [location.uuid]);
    const row = held.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
    if (!row) throw notThere(location, certificate);
    const csr = await values.readOf(keyOf({ location, reached, certificate }), 'csr');
    if (csr.length === 0)
      throw rejected(`Nobody knows how the request for ${certificate.title} was made in ${location.name}: issue a new certificate to the location instead.`); // prettier-ignore
    const made = await makeRequest({ location, reached }, csr, { renewal: true, context });
    const asked = () => certificates.succeed(certificate.uuid, made.der, context);
    await follow({ location, reached }, { made, csr, replaces: certificate.uuid, asked }, context);
  }

  async function makeRequest(
    { location, reached: { client, params, entity } }: Omit<Entry, 'certificate'>,
    csrAttributes: readonly RequestAttributeDto[],
    { renewal, context }: { readonly renewal: boolean; readonly context: RequestContext },
  ) {
    const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
    const body = { locationAttributes, csrAttributes: [...csrAttributes], renewal };
    const answer = await client.call(provider.generateCsrLocation, { params, body }, { signal: context.signal });
    return { ...answer, der: Buffer.from(answer.csr, 'base64'), locationAttributes };
  }

  interface Followed {
    readonly made: Awaited<ReturnType<typeof makeRequest>>;
    readonly csr: readonly RequestAttributeDto[];
    readonly replaces: string | null;
    readonly asked: () => Promise<{ readonly uuid: string; readonly der: Uint8Array | undefined }>;
  }

  async function follow(
    place: Omit<Entry, 'certificate'>,
    { made, csr, replaces, asked }: Followed,
    context: RequestContext,
  ): Promise<void> {
    const issued = await asked().catch(async (error: unknown) => {
      await cleanUp(place, made, context);
      throw error;
    });
    const entry = { ...place, certificate: await certificates.require(issued.uuid) };
    const state = issued.der === undefined ? 'waiting' : 'pushing';
    await note(entry, { state, push: made.pushAttributes, csr, replaces, metadata: made.metadata ?? [] }, context);
    if (issued.der !== undefined) await carryOut(entry, context);
  }

  /** The key that nobody certified goes again; that it stays is not worth another refusal. */
  async function cleanUp(
    { location, reached: { client, params } }: Omit<Entry, 'certificate'>,
    { metadata = [], locationAttributes }: Awaited<ReturnType<typeof makeRequest>>,
    { signal }: RequestContext,
  ): Promise<void> {
    if (metadata.length === 0) return;
    const body = { certificateMetadata: metadata, locationAttributes };
    await client.call(provider.removeCertificateFromLocation, { params, body }, { signal }).catch((error: unknown) =>
      log.warn({ error, location: location.name }, 'a key whose certificate was refused stays in its location'),
    ); // prettier-ignore
  }

  async function remove(target: Target, context: RequestContext): Promise<void> {
    const { location, reached } = await usable(target);
    const certificate = await certificates.require(target.certificateUuid);
    const held = await findHeld(database.executor, [location.uuid]);
    const row = held.find(({ certificate_uuid: uuid }) => uuid === certificate.uuid);
    if (!row) throw notThere(location, certificate);
    if (row.state !== 'waiting') await removeThere({ location, reached, certificate }, row, context);
    await database.transaction(async (tx) => {
      await locations.lock(tx, location.uuid);
      await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid: reached.entity.connector_uuid, gone: [certificate.uuid] }); // prettier-ignore
      const message = `Removed from location ${location.name}`;
      await certificates.tell(tx, { uuid: certificate.uuid, failed: false, message }, { at: clock.now(), by: nameOf(context) }); // prettier-ignore
      await audit.append(tx, context, { objects: [location] });
    });
  }

  async function removeThere({ location, reached }: Entry, { metadata }: HeldRow, { signal }: RequestContext) {
    const { client, params, entity } = reached;
    const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
    const body = { certificateMetadata: [...metadata], locationAttributes };
    await client.call(provider.removeCertificateFromLocation, { params, body }, { signal });
  }

  /** Pushes what waited and is issued now, and asks what became of pushes that nobody answered. */
  async function look(): Promise<boolean> {
    const now = clock.now();
    const waiting = await findInState(database.executor, 'waiting', { before: now, limit: BATCH });
    for (const row of waiting) await inTurn(row, () => pushWaiting(row));
    const before = new Date(now.getTime() - UNANSWERED_MS);
    for (const row of await findInState(database.executor, 'pushing', { before, limit: BATCH }))
      await inTurn(row, () => askWhatBecame(row));
    return false;
  }

  /** One that fails does not hold up the others; it says so itself. */
  async function inTurn(row: HeldRow, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.warn({ error, location: row.location_uuid, certificate: row.certificate_uuid }, 'a certificate was not pushed to its location'); // prettier-ignore
    }
  }

  async function pushWaiting(row: HeldRow): Promise<void> {
    const [certificate] = await certificates.find(database.executor, [row.certificate_uuid]);
    if (!certificate) return;
    if (certificate.state === 'failed' || certificate.state === 'rejected') return giveUp(row, certificate);
    if (certificate.state !== 'issued') return;
    const location = await locations.findOne(database.executor, row.location_uuid);
    // One that is disabled waits until it is enabled again.
    if (!location?.enabled) return;
    const claimed = await claimHeld(database.executor, row, { from: 'waiting', to: 'pushing', at: clock.now() });
    if (!claimed) return;
    await carryOut({ location, certificate, reached: await access.reach(location.entity_uuid) }, coreContext(newUuid()));
  }

  /** There will be no certificate: what was made for it goes, at the provider too where it is asked successfully. */
  async function giveUp(row: HeldRow, certificate: HeldCertificate): Promise<void> {
    const location = await locations.require(database.executor, row.location_uuid);
    const reached = await access.reach(location.entity_uuid);
    const context = coreContext(newUuid());
    if (row.metadata.length > 0) await removeThere({ location, reached, certificate }, row, context).catch((error: unknown) => log.warn({ error, location: location.name }, 'a key whose certificate was refused stays in its location')); // prettier-ignore
    await database.transaction(async (tx) => {
      const gone = [certificate.uuid];
      await contents.unlink(tx, { locationUuid: location.uuid, connectorUuid: reached.entity.connector_uuid, gone });
    });
  }

  async function askWhatBecame(row: HeldRow): Promise<void> {
    const location = await locations.require(database.executor, row.location_uuid);
    const [certificate] = await certificates.find(database.executor, [row.certificate_uuid]);
    if (!certificate) return;
    const keep = await contents.sync(location, coreContext(newUuid()));
    await database.transaction(keep);
    const entry = { location, certificate, reached: await access.reach(location.entity_uuid) };
    // Reading has settled it when it is there.
    await settle(entry, { problem: 'The provider gave no answer, and the certificate is not there.' });
  }

  const rounds = createRounds({ log, what: 'deployment of certificates', periodMs: PERIOD_MS, run: look });
  return { push, issue, renew, remove, look, start: () => rounds.start(), stop: () => rounds.stop() };
}

const keyOf = ({ location, reached, certificate }: Entry) => ({
  locationUuid: location.uuid,
  certificateUuid: certificate.uuid,
  connectorUuid: reached.entity.connector_uuid,
});

const ENDED: readonly string[] = ['failed', 'rejected', 'revoked', 'pending_revoke'];

function assertPushable({ title, state, archived }: HeldCertificate): void {
  if (archived) throw rejected(`The certificate ${title} is in the archive: take it out first.`);
  if (ENDED.includes(state))
    throw new AppError('invalid_state', { what: 'Certificate', name: title, state, needed: 'one that is or will be issued' }); // prettier-ignore
}

/** A place for one certificate holds one; what failed to get there holds none. */
function assertRoom({ name, multiple_entries: isRoomy }: LocationRow, held: readonly HeldRow[], certificate?: HeldCertificate) {
  const others = held.filter(({ certificate_uuid: uuid, state }) => uuid !== certificate?.uuid && state !== 'failed');
  if (!isRoomy && others.length > 0)
    throw rejected(`The location ${name} holds a certificate already, and one only: remove that first.`);
}

function assertMakesKeys({ name, key_management: makesKeys }: LocationRow): void {
  if (!makesKeys)
    throw rejected(`No keys can be made in the location ${name}: issue the certificate elsewhere, and push it.`);
}

const notThere = ({ name }: LocationRow, { title }: HeldCertificate): AppError =>
  rejected(`The certificate ${title} is not in the location ${name}.`);

/** Later values of an attribute win. */
const merged = (first: readonly RequestAttributeDto[], second: readonly RequestAttributeDto[]): RequestAttributeDto[] => [
  ...first.filter(({ name }) => !second.some((other) => other.name === name)),
  ...second,
];
