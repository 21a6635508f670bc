// Adds certificates to the inventory in the caller's transaction: uploads, certificates of users, CA certificates of
// our own authorities. One object per content, whatever way it comes in, and its issuer is linked when it is known.
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
  issuersFirst,
  recordEvent,
  type HistoryEntry,
  type Issuers,
  type ReadCertificate,
} from '../../certificates/index.ts';
import { isSelfSigned, type Validator } from '../../validation/index.ts';
import { findByFingerprint } from './store.ts';
import * as changes from './store-changes.ts';

export interface ImportOptions {
  /** Marks CA certificates as trust anchors. A decision that a person made about it stands. */
  readonly trustedCa?: boolean;
  readonly raProfile?: { readonly uuid: string; readonly name: string };
  /** How it came in, for the history. */
  readonly note?: string;
}

export interface Imported {
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
  /**
   * Results are in the order given. When the transaction is committed, `validator.afterChange` makes it take effect on
   * this node.
   */
  importAll(tx: Executor, certificates: readonly ReadCertificate[], facts: ImportFacts): Promise<Imported[]>;
}

export const createImporter = (parts: ImporterParts): Importer => ({
  importAll: (tx, certificates, facts) => importAll(tx, certificates, { ...parts, ...facts }),
});

async function importAll(
  tx: Executor,
  certificates: readonly ReadCertificate[],
  facts: ImporterParts & ImportFacts,
): Promise<Imported[]> {
  const { platform, validator, options = {}, context } = facts;
  const at = platform.clock.now();
  const issuers = createIssuers({ executor: tx, clock: platform.clock });
  const imported = new Map<ReadCertificate, Imported>();
  const history: HistoryEntry[] = [];
  for (const read of issuersFirst(certificates)) {
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
  fresh: readonly Imported[],
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

interface OneImport {
  readonly issuers: Issuers;
  readonly options: ImportOptions;
  readonly context: RequestContext;
  readonly at: Date;
}

/** With the entry of its history when it is new. */
async function importOne(
  tx: Executor,
  read: ReadCertificate,
  facts: OneImport,
): Promise<Imported & { readonly entry?: HistoryEntry }> {
  const { issuers, options, at } = facts;
  const uuid = newUuid();
  const { certificate } = read;
  await changes.keepContent(tx, read);
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
    const knownUuid = await known(tx, read, { ...facts, isMarked });
    if (knownUuid !== undefined) return { uuid: knownUuid, isNew: false, read };
    // The unique key of issuer and serial number decided. An issuer must not repeat one (RFC 5280 §4.1.2.2), but there
    // are both certificates, and an inventory shows what there is.
    state = await insert(tx, { ...incoming, repeatsSerial: true });
    if (!state) throw new Error(`The certificate ${read.facts.fingerprint} is neither known nor new.`);
  }
  const message = `${options.note ?? 'Certificate uploaded'}${revocationNote(state)}`;
  const entry = { certificate_uuid: uuid, event: 'Upload Certificate', status: 'SUCCESS', message } as const;
  return { uuid, isNew: true, read, entry };
}

/** A certificate that the table cannot hold is refused. */
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

/** The object that exists already, if any; it becomes trusted unless a person has decided otherwise. */
async function known(
  tx: Executor,
  { facts }: ReadCertificate,
  { isMarked, at, context }: OneImport & { readonly isMarked: boolean },
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

/** A certificate that comes in again has the state that its issuer gave it, whatever was deleted here meanwhile. */
const revocationNote = ({ revoked_at, revocation_reason }: changes.IncomingState): string =>
  revoked_at === null ? '' : `; its issuer revoked it on ${revoked_at.toISOString()}, reason ${revocation_reason}`;
