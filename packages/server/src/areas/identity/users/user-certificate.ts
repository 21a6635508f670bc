// Finds the certificate that a request assigns to a user: from the inventory, or uploaded with the request.
import { createHash } from 'node:crypto';
import { fromBase64, PEM_LABELS, PkiError, readDerOrPem } from '@signetry/pki';
import { isAllowed, isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { UserCertificate, UserCertificates } from '../ports.ts';
import { blankToNull, problemsOfNewCertificate } from './user-rules.ts';

export interface CertificateChoice {
  readonly certificateUuid?: string | undefined;
  /** A Base64-encoded certificate file, or PEM. */
  readonly certificateData?: string | undefined;
}

/** The certificate as stored with a user. */
export interface CertificateBinding {
  readonly certificate_uuid: string | null;
  readonly certificate_fingerprint: string | null;
}

export const noCertificate: CertificateBinding = { certificate_uuid: null, certificate_fingerprint: null };

export interface ChoiceFacts {
  readonly certificates: () => UserCertificates;
  readonly context: RequestContext;
  readonly now: Date;
  /** The user's current certificate; keeping it requires no permission, even if it has expired in the meantime. */
  readonly current: CertificateBinding;
}

/**
 * Returns the selected certificate, or `undefined` if the request specifies none. The UUID takes precedence over data.
 */
export async function chooseCertificate(
  tx: Executor,
  choice: CertificateChoice,
  facts: ChoiceFacts,
): Promise<CertificateBinding | undefined> {
  const uuid = blankToNull(choice.certificateUuid)?.toLowerCase() ?? null;
  const data = blankToNull(choice.certificateData);
  if (uuid === null && data === null) return undefined;
  const certificate = uuid === null ? await fromData(tx, data ?? '', facts) : await fromInventory(tx, uuid, facts);
  if (certificate.uuid !== facts.current.certificate_uuid) {
    const problems = problemsOfNewCertificate(certificate, facts.now);
    if (problems.length > 0) throw rejected(...problems);
  }
  return { certificate_uuid: certificate.uuid, certificate_fingerprint: certificate.fingerprint };
}

async function fromInventory(tx: Executor, uuid: string, facts: ChoiceFacts): Promise<UserCertificate> {
  if (!isUuid(uuid)) throw rejected('certificateUuid must be a UUID.');
  const isCurrent = uuid === facts.current.certificate_uuid;
  if (!isCurrent) requireAccess('detail', facts.context);
  const certificate = await facts.certificates().findByUuid(tx, uuid);
  if (!certificate || !(isCurrent || isVisibleTo(facts.context, certificate))) throw notFound('Certificate', uuid);
  return certificate;
}

async function fromData(tx: Executor, data: string, facts: ChoiceFacts): Promise<UserCertificate> {
  const der = certificateOctets(data);
  const known = await facts.certificates().findByFingerprint(tx, fingerprintOf(der));
  if (known) {
    if (known.uuid === facts.current.certificate_uuid) return known;
    requireAccess('detail', facts.context);
    if (!isVisibleTo(facts.context, known)) throw notFound('Certificate with fingerprint', known.fingerprint);
    return known;
  }
  requireAccess('create', facts.context);
  return facts.certificates().upload(tx, { der, context: facts.context });
}

/** Certificates of an RA profile are visible only to its members. */
const isVisibleTo = ({ actor }: RequestContext, { raProfileUuid }: UserCertificate): boolean =>
  raProfileUuid === null || isVisible(visibleObjects(actor.permissions, 'raProfiles', 'members'), raProfileUuid);

/** Permission to edit users, or one's own profile, does not grant access to the inventory. */
function requireAccess(action: 'detail' | 'create', context: RequestContext): void {
  if (!isAllowed(context.actor.permissions, 'certificates', action))
    throw new AppError('access_denied', { resource: 'certificates', action });
}

/** Accepts Base64-encoded DER, a Base64-encoded PEM file, or the PEM text itself. */
export function certificateOctets(data: string): Uint8Array {
  try {
    return readDerOrPem(data.includes('-----BEGIN') ? data : fromBase64(data), PEM_LABELS.certificate);
  } catch (cause) {
    if (!(cause instanceof PkiError)) throw cause;
    throw new AppError(
      'malformed_request',
      { problem: `the certificate is not valid Base64 of a certificate (${cause.code})` },
      { cause },
    );
  }
}

export const fingerprintOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex');
