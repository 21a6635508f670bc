// Takes certificates into the inventory with the caller's transaction: uploads, certificates of users, CA certificates of our
// own authorities. One object per content, whatever way it comes in, and its issuer is linked when it is known.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { isSelfSigned } from '../validation/chain.ts';
import { createIssuers, type Issuers } from '../core/issuers.ts';
import type { ReadCertificate } from '../core/read-certificate.ts';
import { historyEntry, insertHistory } from '../core/store-history.ts';
import { findByFingerprint } from './store.ts';
import * as changes from './store-changes.ts';
import type { Validator } from '../validation/validate.ts';

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

export type Importer = ReturnType<typeof createImporter>;

export function createImporter(options: {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly validator: Validator;
}) {
  const { platform, audit, validator } = options;
  const { clock } = platform;

  /** In the order given. Afterwards, when the transaction is committed, `validator.afterChange` makes it count on this node. */
  async function importAll(
    tx: Executor,
    certificates: readonly ReadCertificate[],
    facts: { readonly options?: ImportOptions; readonly context: RequestContext },
  ): Promise<Imported[]> {
    const { context } = facts;
    const imported = new Map<ReadCertificate, Imported>();
    const issuers = createIssuers({ executor: tx, clock });
    const ordered = issuersFirst(certificates);
    for (const read of ordered) {
      imported.set(read, await importOne(tx, read, { issuers, options: facts.options ?? {}, context }));
      if (read.facts.trusted_ca !== null) issuers.forget();
    }
    const all = certificates.flatMap((read) => imported.get(read) ?? []);
    const fresh = all.filter(({ isNew }) => isNew);
    if (fresh.length > 0) {
      await audit.append(tx, context, {
        facts: { module: 'certificates', resource: 'certificates', operation: 'upload' },
        objects: fresh.map(({ uuid, read }) => ({ uuid, name: read.facts.common_name })),
        data: { fingerprints: fresh.map(({ read }) => read.facts.fingerprint) },
      });
    }
    const validate = validator.within(tx, context);
    for (const read of ordered) {
      const { uuid, isNew } = imported.get(read) ?? { uuid: '', isNew: false };
      if (isNew || facts.options?.trustedCa) await validate(uuid);
    }
    return all;
  }

  async function importOne(
    tx: Executor,
    read: ReadCertificate,
    facts: { readonly issuers: Issuers; readonly options: ImportOptions; readonly context: RequestContext },
  ): Promise<Imported> {
    const { issuers, options, context } = facts;
    const uuid = newUuid();
    const at = clock.now();
    const createdBy = context.actor.username ?? 'signetry';
    const { certificate } = read;
    await changes.keepContent(tx, read);
    const issuer = isSelfSigned(certificate)
      ? undefined
      : await issuers.of(certificate, read.facts.issuer_dn_normalized ?? '');
    const marked = options.trustedCa && read.facts.trusted_ca !== null;
    const state = await changes.insertIssued(tx, {
      uuid,
      read: marked ? { certificate, facts: { ...read.facts, trusted_ca: true } } : read,
      issuer: issuer?.row,
      raProfileUuid: options.raProfile?.uuid ?? null,
      at,
    });
    if (!state) return { uuid: await known(tx, read, { marks: marked ?? false, at, createdBy }), isNew: false, read };
    await insertHistory(
      tx,
      historyEntry({
        certificate_uuid: uuid,
        event: 'Upload Certificate',
        status: 'SUCCESS',
        message: `${options.note ?? 'Certificate uploaded'}${revocationNote(state)}`,
        created_at: at,
        created_by: createdBy,
      }),
    );
    return { uuid, isNew: true, read };
  }

  async function known(
    tx: Executor,
    { facts }: ReadCertificate,
    change: { readonly marks: boolean; readonly at: Date; readonly createdBy: string },
  ): Promise<string> {
    const row = await findByFingerprint(tx, facts.fingerprint);
    if (!row) {
      // The unique key of issuer and serial number decided (RFC 5280 section 4.1.2.2).
      throw new AppError('already_exists', {
        what: 'Another certificate of the same issuer with the serial number',
        name: facts.serial_number,
      });
    }
    if (change.marks && row.trusted_ca === false && !row.archived && !(await changes.isTrustDecided(tx, row.uuid))) {
      await changes.assign(tx, row.uuid, { assignment: { trusted_ca: true }, at: change.at });
      await insertHistory(
        tx,
        historyEntry({
          certificate_uuid: row.uuid,
          event: 'Update Entity',
          status: 'SUCCESS',
          message: 'Trusted CA: false -> true',
          created_at: change.at,
          created_by: change.createdBy,
        }),
      );
    }
    return row.uuid;
  }

  return { importAll };
}

/** A certificate that comes in again has the state that its issuer gave it, whatever was deleted here meanwhile. */
const revocationNote = ({ revoked_at, revocation_reason }: changes.IncomingState): string =>
  revoked_at === null ? '' : `; its issuer revoked it on ${revoked_at.toISOString()}, reason ${revocation_reason}`;

/** Issuers before what they issued, so that links and verdicts find them. Order is kept otherwise. */
export function issuersFirst(certificates: readonly ReadCertificate[]): ReadCertificate[] {
  const bySubject = new Map<string, ReadCertificate[]>();
  for (const each of certificates) {
    if (each.facts.trusted_ca === null) continue;
    const named = bySubject.get(each.facts.subject_dn_normalized) ?? [];
    bySubject.set(each.facts.subject_dn_normalized, [...named, each]);
  }
  const ordered = new Set<ReadCertificate>();
  const visiting = new Set<ReadCertificate>();
  const visit = (each: ReadCertificate): void => {
    // Authorities that certified each other would lead round in a circle.
    if (ordered.has(each) || visiting.has(each)) return;
    visiting.add(each);
    for (const issuer of bySubject.get(each.facts.issuer_dn_normalized ?? '') ?? []) visit(issuer);
    ordered.add(each);
  };
  for (const each of certificates) visit(each);
  return [...ordered];
}

/** Which certificate of a file it is about: the first of an end entity, else the first that issued none of the others. */
export function principalOf(certificates: readonly [ReadCertificate, ...ReadCertificate[]]): ReadCertificate {
  const issuerNames = new Set(
    certificates
      .filter(({ facts }) => facts.issuer_dn_normalized !== facts.subject_dn_normalized)
      .map(({ facts }) => facts.issuer_dn_normalized),
  );
  return (
    certificates.find(({ facts }) => facts.trusted_ca === null) ??
    certificates.find(({ facts }) => !issuerNames.has(facts.subject_dn_normalized)) ??
    certificates[0]
  );
}
