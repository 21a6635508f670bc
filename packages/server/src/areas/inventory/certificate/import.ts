// Imports certificates into the inventory in the caller's transaction: uploads, user certificates, CA certificates of
// built-in authorities. Each content has a single object, regardless of its source. The issuer is linked if known.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { problemOfValue } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import {
  callerName,
  createIssuers,
  insertHistory,
  orderIssuersFirst,
  recordEvent,
  type HistoryEntry,
  type Issuers,
  type ReadCertificate,
  withFindings,
} from '../../certificates/index.ts';
import { isSelfSigned, type Validator } from '../../validation/index.ts';
import { findByFingerprint } from './store.ts';
import * as changes from './store-changes.ts';

export interface ImportOptions {
  /** Whether to mark CA certificates as trust anchors, unless a user has already decided whether to trust them. */
  readonly trustedCa?: boolean;
  readonly raProfile?: { readonly uuid: string; readonly name: string };
  /** Where the certificate came from, for the history. */
  readonly note?: string;
}

export interface ImportedCertificate {
  readonly uuid: string;
  readonly isNew: boolean;
  readonly read: ReadCertificate;
}

export interface ImporterParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly validator: Validator;
}

interface ImportFacts {
  readonly options?: ImportOptions;
  readonly context: RequestContext;
}

export interface Importer {
  /** Returns results in the given order. After the commit, `validator.afterChange` applies the import on this node. */
  importAll(tx: Executor, certificates: readonly ReadCertificate[], facts: ImportFacts): Promise<ImportedCertificate[]>;
}

export const createImporter = (parts: ImporterParts): Importer => ({
  importAll: (tx, certificates, facts) => importAll(tx, certificates, { ...parts, ...facts }),
});

async function importAll(
  tx: Executor,
  certificates: readonly ReadCertificate[],
  facts: ImporterParts & ImportFacts,
): Promise<ImportedCertificate[]> {
  const { platform, validator, options = {}, context } = facts;
  const at = platform.clock.now();
  const issuers = createIssuers({ executor: tx, clock: platform.clock });
  const imported = new Map<ReadCertificate, ImportedCertificate>();
  const history: HistoryEntry[] = [];
  for (const read of orderIssuersFirst(certificates)) {
    const { entry, ...taken } = await importOne(tx, read, { issuers, options, context, at });
    imported.set(read, taken);
    if (entry) history.push(entry);
    if (read.facts.trusted_ca !== null) issuers.forget();
  }
  const all = certificates.flatMap((read) => imported.get(read) ?? []);
  await recordNew(
    tx,
    all.filter(({ isNew }) => isNew),
    { ...facts, at, history },
  );
  const validate = validator.within(tx, context);
  for (const { uuid, isNew } of imported.values()) if (isNew || options.trustedCa) await validate(uuid);
  return all;
}

async function recordNew(
  tx: Executor,
  fresh: readonly ImportedCertificate[],
  {
    audit,
    context,
    at,
    history,
  }: ImporterParts & ImportFacts & { readonly at: Date; readonly history: HistoryEntry[] },
): Promise<void> {
  if (fresh.length === 0) return;
  const occasion = { audit, context, at };
  await recordEvent(tx, occasion, {
    operation: 'upload',
    history,
    objects: fresh.map(({ uuid, read }) => ({ uuid, name: read.facts.common_name })),
    data: { fingerprints: fresh.map(({ read }) => read.facts.fingerprint) },
  });
}

interface ImportContext {
  readonly issuers: Issuers;
  readonly options: ImportOptions;
  readonly context: RequestContext;
  readonly at: Date;
}

/** Imports a certificate; returns the history entry if it is new. */
async function importOne(
  tx: Executor,
  read: ReadCertificate,
  facts: ImportContext,
): Promise<ImportedCertificate & { readonly entry?: HistoryEntry }> {
  const { issuers, options, at } = facts;
  const uuid = newUuid();
  const { certificate } = read;
  await changes.storeContent(tx, read);
  const issuer = isSelfSigned(certificate) ? undefined : await issuers.of(certificate, read.facts.issuer_dn_normalized);
  const isMarked = (options.trustedCa ?? false) && read.facts.trusted_ca !== null;
  const incoming = {
    uuid,
    read: isMarked ? { certificate, facts: { ...read.facts, trusted_ca: true } } : read,
    issuer: issuer?.row,
    raProfileUuid: options.raProfile?.uuid ?? null,
    at,
  };
  let state = await insert(tx, incoming);
  if (!state) {
    const knownUuid = await findKnown(tx, read, { ...facts, isMarked });
    if (knownUuid !== undefined) return { uuid: knownUuid, isNew: false, read };
    // The unique key on issuer and serial number was violated. An issuer must not reuse a serial number (RFC 5280
    // §4.1.2.2), but both certificates exist, so the inventory stores both.
    state = await insert(tx, { ...incoming, repeatsSerial: true });
    if (!state) throw new Error(`Certificate ${read.facts.fingerprint} could not be inserted or found.`);
  }
  const note = `${options.note ?? 'Certificate uploaded'}${revocationNote(state)}`;
  const message = withFindings(note, read.forms);
  const entry = { certificate_uuid: uuid, event: 'Upload Certificate', status: 'SUCCESS', message } as const;
  return { uuid, isNew: true, read, entry };
}

/** Inserts a certificate; rejects one that the table cannot store. */
async function insert(
  tx: Executor,
  incoming: Parameters<typeof changes.insertIssued>[1],
): Promise<changes.IncomingState | undefined> {
  try {
    return await changes.insertIssued(tx, incoming);
  } catch (error) {
    const problem = problemOfValue(error);
    if (problem === undefined) throw error;
    const { subject_dn: subject } = incoming.read.facts;
    throw new AppError('invalid_fields', { problems: [`certificate "${subject}": ${problem}`] }, { cause: error });
  }
}

/** Returns the existing object, if any, and marks it as trusted unless a user has decided otherwise. */
async function findKnown(
  tx: Executor,
  { facts }: ReadCertificate,
  { isMarked, at, context }: ImportContext & { readonly isMarked: boolean },
): Promise<string | undefined> {
  const row = await findByFingerprint(tx, facts.fingerprint);
  if (!row) return undefined;
  if (isMarked && row.trusted_ca === false && !row.archived && !(await changes.isTrustDecided(tx, row.uuid))) {
    await changes.assign(tx, row.uuid, { assignment: { trusted_ca: true }, at });
    const entry = { event: 'Update Entity', status: 'SUCCESS', message: 'Trusted CA: false -> true' } as const;
    await insertHistory(tx, [{ certificate_uuid: row.uuid, ...entry }], { at, by: callerName(context) });
  }
  return row.uuid;
}

/**
 * A reimported certificate has the state that its issuer set, regardless of what was deleted from the inventory in the
 * meantime.
 */
const revocationNote = ({ revoked_at, revocation_reason }: changes.IncomingState): string =>
  revoked_at === null ? '' : `; revoked by its issuer on ${revoked_at.toISOString()}, reason ${revocation_reason}`;
