// Archives and unarchives a certificate from its own page.
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import type { RunAction } from '../../kit/actions.tsx';
import type { Right } from '../../kit/rights.ts';
import type { CertificateDetail } from './shapes.ts';

/** Effects of archiving, as stated in confirmation dialogs. */
export const ARCHIVE_EFFECTS =
  'Archived certificates are excluded from lists and statistics, are not validated and cannot be changed. Archiving does not revoke: valid certificates remain valid. Certificates can be unarchived later.';

export function archiveAction(certificate: CertificateDetail): RunAction {
  const { uuid, archived, raProfile } = certificate;
  const params = { params: { uuid } };
  const ofItsProfile: readonly Right[] = raProfile ? [['raProfiles', 'members', raProfile.uuid]] : [];
  const shared = {
    needs: [['certificates', 'archive'] as const, ...ofItsProfile],
    refresh: ['certificates'],
  };
  if (archived)
    return {
      ...shared,
      label: 'Unarchive',
      icon: IconArchiveOff,
      run: () => api.certificates.unarchiveCertificate(params),
      done: `${titleOf(certificate)} was unarchived.`,
      ask: {
        title: `Unarchive ${titleOf(certificate)}?`,
        children: 'It is included in lists and statistics again, is validated and can be changed.',
      },
    };
  return {
    ...shared,
    label: 'Archive',
    icon: IconArchive,
    run: () => api.certificates.archiveCertificate(params),
    done: `${titleOf(certificate)} was archived.`,
    ask: { title: `Archive ${titleOf(certificate)}?`, children: ARCHIVE_EFFECTS },
  };
}
