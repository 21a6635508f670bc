// Renewal windows that clients receive (RFC 9773): the default window, a window in the past for revoked certificates,
// or one set by an operator.
import type { CertificateRenewalWindow, EarlyRenewalReport, EarlyRenewalRequest } from '@signetry/contract';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import { isHeldCertificate, type CertificateAccess, type FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { earlyWindow, pastWindow, pollIntervalS, defaultWindow, type RenewalWindow } from './renewal-window.ts';
import * as store from './store-windows.ts';

const DEFAULT_PERIOD_MS = 24 * 3_600_000;

/** A certificate that was issued by this platform and has a validity period. */
interface OwnCertificate extends FoundCertificate {
  readonly not_before: Date;
  readonly not_after: Date;
}

export interface ReportedWindow {
  readonly window: RenewalWindow;
  readonly reason: CertificateRenewalWindow['reason'];
  readonly explanationUrl: string | null;
  /** Retry-After in seconds. */
  readonly askAgainS: number;
}

export type CertificateLookup = Pick<ProtocolCertificates, 'findByUuids'>;

interface WindowParts extends Pick<Platform, 'database' | 'clock'> {
  readonly audit: AuditTrail;
  readonly certificates: CertificateLookup;
  readonly assertVisible: CertificateAccess;
}

export type RenewalWindows = ReturnType<typeof createRenewalWindows>;

export function createRenewalWindows({ database, clock }: Platform, areas: Omit<WindowParts, 'database' | 'clock'>) {
  const parts: WindowParts = { database, clock, ...areas };

  return {
    /** Returns undefined for a certificate that was not issued by this platform. */
    windowOf: (found: FoundCertificate) => windowOf(parts, found),
    detail: (uuid: string, context: RequestContext) => detail(parts, uuid, context),
    /**
     * Assigns each certificate its part of the period; certificates that the caller cannot see are treated as unknown.
     * A repeated request replaces the previous window.
     */
    askEarly: (request: EarlyRenewalRequest, context: RequestContext) => requestEarlyRenewal(parts, request, context),
    /** Has no effect if no early renewal was requested. */
    withdraw: (uuid: string, context: RequestContext) => withdraw(parts, uuid, context),
  };
}

async function windowOf(parts: WindowParts, found: FoundCertificate): Promise<ReportedWindow | undefined> {
  const { database, clock } = parts;
  if (!wasIssuedHere(found)) return undefined;
  const { uuid, not_before: notBefore, not_after: notAfter } = found;
  const askAgainS = pollIntervalS({ notBefore, notAfter });
  if (found.state === 'revoked')
    return { window: pastWindow(clock.now()), reason: 'revoked', explanationUrl: null, askAgainS };
  const asked = await store.findWindow(database.executor, found.uuid);
  if (asked) {
    const { starts_at: start, ends_at: end, explanation_url: explanationUrl } = asked;
    return { window: { start, end }, reason: 'asked', explanationUrl, askAgainS };
  }
  return { window: defaultWindow({ uuid, notBefore, notAfter }), reason: 'rule', explanationUrl: null, askAgainS };
}

async function detail(parts: WindowParts, uuid: string, context: RequestContext): Promise<CertificateRenewalWindow> {
  const stated = await windowOf(parts, await find(parts, uuid, { context, action: 'detail' }));
  if (!stated) throw rejected(`Certificate ${uuid} was not issued by this platform, so it has no renewal window.`);
  const { window, reason, explanationUrl } = stated;
  return {
    start: window.start.toISOString(),
    end: window.end.toISOString(),
    reason,
    ...(explanationUrl === null ? {} : { explanationUrl }),
  };
}

async function requestEarlyRenewal(
  parts: WindowParts,
  request: EarlyRenewalRequest,
  context: RequestContext,
): Promise<EarlyRenewalReport> {
  const { database, clock, audit, certificates } = parts;
  const now = clock.now();
  const period = periodOf(request, now);
  const uuids = [...new Set(request.certificateUuids.map((uuid) => uuid.toLowerCase()))];
  const visible = (await certificates.findByUuids(uuids)).filter((each) => isHeldCertificate(each, context));
  const found = new Map(visible.map((each) => [each.uuid, each]));
  const refused: EarlyRenewalReport['refused'] = [];
  const asked: OwnCertificate[] = [];
  for (const uuid of uuids) {
    const each = found.get(uuid);
    const message = rejectionReason(each, now);
    if (message !== undefined) refused.push({ uuid, name: each?.common_name ?? '', message });
    else if (each && wasIssuedHere(each)) asked.push(each);
  }
  await database.transaction(async (tx) => {
    await store.replaceWindows(
      tx,
      asked.map(({ uuid, not_after }) => {
        const { start, end } = earlyWindow({ uuid }, period);
        const explanation_url = request.explanationUrl ?? null;
        const certificate_expires_at = not_after;
        return {
          certificate_uuid: uuid,
          starts_at: start,
          ends_at: end,
          explanation_url,
          certificate_expires_at,
          created_at: now,
        };
      }),
    );
    if (asked.length === 0) return;
    await audit.append(tx, context, {
      objects: asked.map(({ uuid, common_name }) => ({ uuid, name: common_name ?? '' })),
      data: { earlyRenewal: { from: period.start.toISOString(), until: period.end.toISOString() } },
    });
  });
  return { asked: asked.length, refused };
}

async function withdraw(parts: WindowParts, uuid: string, context: RequestContext): Promise<void> {
  const { database, audit } = parts;
  const { common_name, archived } = await find(parts, uuid, { context, action: 'renew' });
  if (archived) throw rejected(`Certificate ${common_name ?? uuid} is archived. Unarchive it first.`);
  await database.transaction(async (tx) => {
    if (!(await store.deleteWindow(tx, uuid))) return;
    await audit.append(tx, context, { objects: [{ uuid, name: common_name ?? '' }] });
  });
}

async function find(
  { certificates, assertVisible }: WindowParts,
  uuid: string,
  asked: Parameters<CertificateAccess>[1],
): Promise<FoundCertificate> {
  const [found] = await certificates.findByUuids([uuid]);
  if (!found) throw notFound('Certificate', uuid);
  await assertVisible([uuid], asked);
  return found;
}

/**
 * Returns whether this platform issued the certificate. Uploaded and discovered certificates have no RA profile that
 * could renew them.
 */
const wasIssuedHere = (found: FoundCertificate): found is OwnCertificate =>
  found.ra_profile_uuid !== null && found.not_before !== null && found.not_after !== null;

function rejectionReason(found: FoundCertificate | undefined, now: Date): string | undefined {
  if (!found) return 'Certificate not found.';
  if (!wasIssuedHere(found))
    return 'The certificate was not issued by this platform, so clients do not request its renewal window here.';
  if (found.archived) return 'The certificate is archived. Unarchive it first.';
  if (found.state !== 'issued')
    return `The certificate is in state ${found.state}. Only issued certificates can be renewed early.`;
  if (found.not_after <= now) return `The certificate expired at ${found.not_after.toISOString()}.`;
  return undefined;
}

function periodOf(request: EarlyRenewalRequest, now: Date): RenewalWindow {
  const start = request.start === undefined ? now : new Date(request.start);
  const end = request.end === undefined ? new Date(start.getTime() + DEFAULT_PERIOD_MS) : new Date(request.end);
  if (end <= start)
    throw rejected(
      `The end of the period must be after its start; the start is ${start.toISOString()}, the end ${end.toISOString()}.`,
    );
  if (end <= now) throw rejected(`The end of the period must be in the future; it was ${end.toISOString()}.`);
  return { start, end };
}
