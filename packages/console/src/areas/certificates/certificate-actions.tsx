// Certificate actions: download, renew, rekey, revoke, report a compromised key.
import { Button, Menu, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconDownload,
  IconKey,
  IconPackageExport,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';
import { useMay } from '../../kit/use-may.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { historyQuery } from '../../queries/certificates.ts';
import { keyExportabilityQuery } from '../../queries/keys.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { notify } from '../../ui/notices.tsx';
import { useReplacement } from '../entities/replacement.tsx';
import { archiveAction } from './archive-action.ts';
import { downloads, save } from './downloads.ts';
import { ExportDialog } from './export-dialog.tsx';
import { NOT_RENEWABLE_REASON, raProfilePathOf, type RaProfilePath } from './ra-profile-path.ts';
import { CompromiseDialog, ReleaseDialog, RevokeDialog } from './revoke-dialogs.tsx';
import type { CertificateDetail } from './shapes.ts';

export function CertificateActions({ certificate }: { readonly certificate: CertificateDetail }) {
  const { state, certificateContent, archived = false } = certificate;
  const place = raProfilePathOf(certificate);
  return (
    <>
      {certificateContent && <DownloadMenu certificate={certificate} />}
      {certificateContent && <ExportAction certificate={certificate} />}
      {!archived && state === 'issued' && place && <IssuedActions certificate={certificate} place={place} />}
      {!archived && state === 'revoked' && place && <RevokedActions certificate={certificate} place={place} />}
      <Actions actions={[archiveAction(certificate)]} />
    </>
  );
}

/** Only for keys that were created as exportable; the platform checks the permissions on the token of the key. */
function ExportAction({ certificate }: { readonly certificate: CertificateDetail }) {
  const { uuid = '', tokenInstanceUuid = '', tokenProfileUuid = '' } = certificate.key ?? {};
  const { data } = useQuery({ ...keyExportabilityQuery(uuid), enabled: uuid !== '' });
  if (!data?.exportable) return null;
  return (
    <Actions
      actions={[
        {
          label: 'Export with key',
          icon: IconPackageExport,
          needs: [
            ['keys', 'export', uuid],
            ['tokens', 'export', tokenInstanceUuid],
            ['tokenProfiles', 'export', tokenProfileUuid],
          ],
          dialog: ({ opened, onClose }) => opened && <ExportDialog certificate={certificate} onClose={onClose} />,
        },
      ]}
    />
  );
}

function IssuedActions({ certificate, place }: Pick<DialogProps, 'certificate' | 'place'>) {
  const isSeen = useMay()(['raProfiles', 'detail', place.raProfileUuid]);
  const { data: profile } = useQuery({ ...raProfileQuery(place.raProfileUuid), enabled: isSeen });
  const mayRenew = requiredRights(place, 'renew');
  const successors: readonly Action[] = profile?.legacyAuthority
    ? [
        { label: 'Renew', icon: IconRefresh, needs: mayRenew, why: NOT_RENEWABLE_REASON },
        { label: 'Rekey', icon: IconKey, needs: mayRenew, why: NOT_RENEWABLE_REASON },
      ]
    : [
        {
          label: 'Renew',
          icon: IconRefresh,
          needs: mayRenew,
          dialog: (dialog) => <RenewDialog certificate={certificate} place={place} {...dialog} />,
        },
        { label: 'Rekey', icon: IconKey, needs: mayRenew, to: paths.certificates.rekey(certificate.uuid) },
      ];
  return (
    <Actions
      actions={[
        ...successors,
        {
          label: 'Revoke',
          icon: IconBan,
          isGrave: true,
          needs: requiredRights(place, 'revoke'),
          dialog: (dialog) => <RevokeDialog certificate={certificate} place={place} {...dialog} />,
        },
      ]}
    />
  );
}

function RevokedActions(props: Pick<DialogProps, 'certificate' | 'place'>) {
  const { certificate, place } = props;
  if (certificate.revocationReason !== 'certificateHold') return <ReportCompromiseAction {...props} />;
  return (
    <Actions
      actions={[
        {
          label: 'Release',
          icon: IconPlayerPlay,
          needs: requiredRights(place, 'revoke'),
          dialog: (dialog) => <ReleaseDialog certificate={certificate} {...dialog} />,
        },
        {
          label: 'Revoke permanently',
          icon: IconBan,
          isGrave: true,
          needs: requiredRights(place, 'revoke'),
          dialog: (dialog) => <RevokeDialog certificate={certificate} place={place} {...dialog} />,
        },
      ]}
    />
  );
}

const compromises: ReadonlySet<unknown> = new Set(['keyCompromise', 'cACompromise']);

/** The history contains the reasons for earlier revocations. */
function ReportCompromiseAction({ certificate, place }: Pick<DialogProps, 'certificate' | 'place'>) {
  const { data: history } = useQuery(historyQuery(certificate.uuid));
  const isKnown = history?.some(
    ({ event, status, additionalInformation }) =>
      event === 'Revoke Certificate' &&
      status === 'SUCCESS' &&
      compromises.has(additionalInformation?.['reason']?.['value']),
  );
  if (history === undefined || isKnown) return null;
  return (
    <Actions
      actions={[
        {
          label: 'Report compromised key',
          icon: IconAlertTriangle,
          isGrave: true,
          needs: requiredRights(place, 'revoke'),
          dialog: (dialog) => <CompromiseDialog certificate={certificate} place={place} {...dialog} />,
        },
      ]}
    />
  );
}

/**
 * Permissions that the platform requires: the action and `members` for the RA profile, and `detail` for both the
 * profile and its authority.
 */
const requiredRights = (
  { authorityUuid, raProfileUuid }: RaProfilePath,
  action: 'renew' | 'revoke',
): readonly Right[] => [
  ['certificates', action],
  ['raProfiles', 'members', raProfileUuid],
  ['raProfiles', 'detail', raProfileUuid],
  ['authorities', 'detail', authorityUuid],
];

function DownloadMenu({ certificate }: { readonly certificate: CertificateDetail }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {downloads.map((download) => (
          <Menu.Item key={download.label} onClick={() => void save(certificate, download).catch(notify.failed)}>
            {download.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface DialogProps {
  readonly certificate: CertificateDetail;
  readonly place: RaProfilePath;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function RenewDialog({ certificate, place, ...dialog }: DialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const replacement = useReplacement(certificate.uuid);
  const renew = async (): Promise<void> => {
    const params = { ...place, certificateUuid: certificate.uuid };
    const body = { replaceInLocations: replacement.isWanted };
    const { uuid } = await api.clientOperations.renewCertificate({ params, body });
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    await queries.invalidateQueries({ queryKey: ['locations'] });
    notify.done(`${titleOf(certificate)} was renewed. This is the new certificate.`);
    await navigate({ to: paths.certificates.one(uuid) });
  };
  return (
    <Confirm {...dialog} title={`Renew ${titleOf(certificate)}?`} verb="Renew" action={renew}>
      <Stack>
        <Text>
          A new certificate with the same key and names is issued under the RA profile {certificate.raProfile?.name}.
          The current certificate remains valid until it expires or is revoked. To change the key, rekey it instead.
        </Text>
        {replacement.field}
      </Stack>
    </Confirm>
  );
}
