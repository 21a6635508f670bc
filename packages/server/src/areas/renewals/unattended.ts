// Certificates without automated renewal, which are reported before they expire, and the renewal attempts for a
// certificate.
import {
  MAX_REPORTED_ATTEMPTS,
  type CertificateRenewalHistory,
  type UnattendedCertificate,
  type UnattendedCertificates,
  type UnattendedReason,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { pageFacts, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { visibleCertificates, type CertificateAccess } from '../certificates/index.ts';
import type { HeldCertificates } from '../inventory/index.ts';
import { presentAttempt, presentRenewal } from './present.ts';
import { findAttempts, findByCertificate } from './store-list.ts';
import { countUnattended, findReason, findUnattended, type UnattendedRow } from './store-ways.ts';

const DAY_MS = 86_400_000;

export interface UnattendedParts {
  readonly certificates: Pick<HeldCertificates, 'require'>;
  readonly assertVisible: CertificateAccess;
  /** Whether automatic renewal is paused platform-wide. */
  readonly isPaused: () => Promise<boolean>;
}

interface Selection extends PageRequest {
  readonly days: number;
  readonly reason?: UnattendedReason | undefined;
}

export function createUnattended({ database: { executor }, clock }: Platform, parts: UnattendedParts) {
  const { certificates, assertVisible, isPaused } = parts;
  return {
    async list({ days, reason, ...asked }: Selection, context: RequestContext): Promise<UnattendedCertificates> {
      const page = readPage(asked);
      const now = clock.now();
      const query = {
        now,
        until: new Date(now.getTime() + days * DAY_MS),
        visible: visibleCertificates(context, 'list'),
        paused: await isPaused(),
        reason,
        page,
      };
      const counts = await countUnattended(executor, query);
      const rows = await findUnattended(executor, query);
      const meant = counts.filter((count) => reason === undefined || count.reason === reason);
      const total = meant.reduce((sum, count) => sum + count.certificates, 0);
      return { ...pageFacts(page, total), counts, certificates: rows.map(presentUnattended) };
    },

    async history(uuid: string, context: RequestContext): Promise<CertificateRenewalHistory> {
      await assertVisible([uuid], { context, action: 'detail' });
      const { uuid: known } = await certificates.require(uuid);
      const [now, paused] = [clock.now(), await isPaused()];
      const visible = visibleCertificates(context, 'detail');
      const one = { now, paused, visible, certificateUuid: known };
      const reason = await findReason(executor, one);
      const renewals = await findByCertificate(executor, known);
      const attempts = await findAttempts(executor, known, MAX_REPORTED_ATTEMPTS);
      return {
        ...(reason === undefined ? {} : { reason }),
        renewals: renewals.map((row) => presentRenewal(row, { now, paused })),
        attempts: attempts.map(presentAttempt),
      };
    },
  };
}

/** Explanations, each with a suggested fix. */
const EXPLANATIONS: Readonly<Record<UnattendedReason, string>> = {
  noRaProfile: 'It has no RA profile, so the platform cannot request a successor. Assign one.',
  raProfileDisabled: 'Its RA profile is disabled. Enable it or assign a different one.',
  authorityMissing: 'The authority of its RA profile was removed. Assign an RA profile of a different authority.',
  noLocationNorKey:
    'It is not in a location, and its key is not in a token. Add it to a location that generates keys, or use an ACME client.',
  locationMakesNoKeys: 'Its location does not generate keys. Add it to one that does.',
  locationDisabled: 'Its location is disabled. Enable it.',
  notAutomatic: 'Automatic renewal is not enabled in its RA profile. Enable it on the RA profile page.',
  paused: 'Automatic renewal is paused. Resume it.',
  failed: 'The last attempt failed',
};

const presentUnattended = (row: UnattendedRow): UnattendedCertificate => ({
  uuid: row.uuid,
  commonName: row.common_name,
  notAfter: row.not_after.toISOString(),
  reason: row.reason,
  explanation: row.problem === null ? EXPLANATIONS[row.reason] : `${EXPLANATIONS.failed}: ${row.problem}`,
  ...(row.ra_profile_uuid === null ? {} : { raProfileUuid: row.ra_profile_uuid }),
  ...(row.ra_profile_name === null ? {} : { raProfileName: row.ra_profile_name }),
});
