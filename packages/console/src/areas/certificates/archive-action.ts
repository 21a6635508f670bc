// Taking a certificate into the archive, and out of it, from its own page.
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import type { RunAction } from '../../kit/actions.tsx';
import type { Right } from '../../kit/rights.ts';
import type { CertificateDetail } from './shapes.ts';

/** What the archive does to certificates, for questions before they go there. */
export const ABOUT_THE_ARCHIVE =
  'Archived certificates are left out of lists and statistics, are not validated, and cannot be changed. This does not revoke: what is valid stays valid. They can be taken out again.';

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
      done: `${titleOf(certificate)} was taken out of the archive.`,
      ask: {
        title: `Unarchive ${titleOf(certificate)}?`,
        children: 'It is shown in lists and statistics again, is validated, and can be changed.',
      },
    };
  return {
    ...shared,
    label: 'Archive',
    icon: IconArchive,
    run: () => api.certificates.archiveCertificate(params),
    done: `${titleOf(certificate)} was archived.`,
    ask: { title: `Archive ${titleOf(certificate)}?`, children: ABOUT_THE_ARCHIVE },
  };
}
