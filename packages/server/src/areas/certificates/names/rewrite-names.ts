// Stored distinguished names use the codes of attribute types. If an administrator adds, changes or removes a code, the
// names that contain the type are rewritten from their encodings in the background (docs/adr/0040).
import { formatName, isPkiError, parseCertificate, type NameCodes } from '@signetry/pki';
import { CONFIGURATION_TTL_MS } from '../../../kernel/expiring-cache.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { requestContentOf } from '../read-request.ts';
import type { Oids } from '../../oids/index.ts';
import * as store from './store.ts';

const QUEUE = 'certificates.rewrite-names';
/** Until then, other nodes write names with their cached codes. */
const FIRST_PASS_S = CONFIGURATION_TTL_MS / 1000 + 2;
/** By this time, requests and certificates that were read before the change have been stored, or never will be. */
const LAST_PASS_S = 300;
/** A job works this long and leaves the rest to the next job, so that little work is repeated after a crash. */
const WORK_MS = 5_000;

interface Payload {
  /** Dotted OIDs of the attribute types. */
  readonly types: readonly string[];
  readonly table: 'certificates' | 'requests';
  /** Last processed row. */
  readonly after?: string;
}

export function createNameRewriting(
  { database, jobs, clock }: Pick<Platform, 'database' | 'jobs' | 'clock'>,
  oids: Pick<Oids, 'readNames'>,
) {
  const { executor } = database;

  /** Called in the transaction that changes the codes. */
  async function enqueue(tx: Executor, types: readonly string[]): Promise<void> {
    for (const startAfterS of [FIRST_PASS_S, LAST_PASS_S])
      for (const table of ['certificates', 'requests'] as const)
        await jobs.enqueue(tx, QUEUE, { types, table } satisfies Payload, { startAfterS });
  }

  /** Rewrites rows until the time is up; returns the remaining work. */
  async function runSlice(payload: Payload, signal?: AbortSignal): Promise<Payload | undefined> {
    const end = clock.monotonicMs() + WORK_MS;
    const canContinue = (): boolean => !signal?.aborted && clock.monotonicMs() < end;
    let left: Payload | undefined = payload;
    while (left && canContinue()) left = await runBatch(left);
    return left;
  }

  /** Reads the codes for every piece, because they may have changed since the previous one. */
  async function runBatch(payload: Payload): Promise<Payload | undefined> {
    const { codes } = await oids.readNames(executor);
    const next =
      payload.table === 'certificates'
        ? await rewriteCertificates(payload, codes)
        : await rewriteRequests(payload, codes);
    return next === undefined ? undefined : { ...payload, after: next };
  }

  async function rewriteCertificates({ types, after }: Payload, codes: NameCodes): Promise<string | undefined> {
    const { rows, next } = await store.findCertificates(executor, { types, after });
    await store.renameCertificates(
      executor,
      rows.map((row) => renamingOf(row, codes)).filter((each) => each !== undefined),
    );
    return next;
  }

  async function rewriteRequests({ types, after }: Payload, codes: NameCodes): Promise<string | undefined> {
    const { rows, next } = await store.findRequests(executor, { types, after });
    const renamings = rows
      .map((row) => ({
        ...row,
        subject: requestedName({ der: row.request, format: row.format }, codes) ?? row.subject_dn,
      }))
      .filter(({ subject, subject_dn: before }) => subject !== before);
    await store.renameRequests(
      executor,
      renamings.map(({ uuid, subject }) => ({ uuid, subject })),
    );
    return next;
  }

  return {
    enqueue,
    runSome: runSlice,
    /** Must be called before the jobs start. */
    declare: (): void =>
      jobs.declare<Payload>({
        name: QUEUE,
        handle: async (payload, { signal }) => {
          const left = await runSlice(payload, signal);
          if (!left) return;
          await jobs.enqueue(executor, QUEUE, left);
          jobs.wake(QUEUE);
        },
      }),
  };
}

/** Returns undefined if the names are already in this form. */
function renamingOf(row: store.CertificateNames, codes: NameCodes): store.CertificateRenaming | undefined {
  const { uuid, subject_dn: subjectBefore, issuer_dn: issuerBefore } = row;
  const { subject = subjectBefore, issuer = issuerBefore } = formatNames(row, codes);
  if (subject === subjectBefore && issuer === issuerBefore) return undefined;
  return { uuid, subjectBefore, subject, issuerBefore, issuer };
}

interface FormattedNames {
  readonly subject?: string | undefined;
  readonly issuer?: string;
}

/** Until a certificate is issued, its subject is the subject of its request. */
function formatNames(
  { certificate, request: der, request_format: format }: store.CertificateNames,
  codes: NameCodes,
): FormattedNames {
  if (certificate) return namesOfCertificate(certificate, codes) ?? {};
  return der && format ? { subject: requestedName({ der, format }, codes) } : {};
}

const namesOfCertificate = (der: Uint8Array, codes: NameCodes) =>
  readOrUndefined(() => {
    const { subject, issuer } = parseCertificate(der);
    return { subject: formatName(subject, codes), issuer: formatName(issuer, codes) };
  });

const requestedName = (stored: Parameters<typeof requestContentOf>[0], codes: NameCodes): string | undefined =>
  readOrUndefined(() => formatName(requestContentOf(stored).subject, codes));

/** All stored content was parsed once; if a later version parses more strictly, the names are left unchanged. */
function readOrUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
