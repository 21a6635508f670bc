// What can be done with a certificate: take it away, renew it, give it another key, revoke it. Whatever cannot be undone asks, naming the certificate.
import { Button, Group, Menu, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CertificateRevocationReason } from '@signetry/contract';
import { IconBan, IconDownload, IconKey, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { notify } from '../../ui/notices.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { downloads, save } from './downloads.ts';
import { placeOf, type Place } from './place.ts';
import type { CertificateDetail } from './shapes.ts';

export function CertificateActions({ certificate }: { readonly certificate: CertificateDetail }) {
  const [revoking, revocation] = useDisclosure();
  const [renewing, renewal] = useDisclosure();
  const isIssued = certificate.state === 'issued';
  const place = placeOf(certificate);
  return (
    <>
      {certificate.certificateContent && <DownloadMenu certificate={certificate} />}
      {isIssued && place && (
        <>
          <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={renewal.open}>
            Renew
          </Button>
          <Button
            variant="default"
            component={Link}
            to={paths.rekey(certificate.uuid)}
            leftSection={<IconKey size={16} />}
          >
            Rekey
          </Button>
          <Button variant="default" c="var(--bad)" leftSection={<IconBan size={16} />} onClick={revocation.open}>
            Revoke
          </Button>
          <RenewDialog certificate={certificate} place={place} opened={renewing} onClose={renewal.close} />
          <RevokeDialog certificate={certificate} place={place} opened={revoking} onClose={revocation.close} />
        </>
      )}
    </>
  );
}

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
  readonly place: Place;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function RenewDialog({ certificate, place, opened, onClose }: DialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const renew = useMutation({
    mutationFn: () =>
      api.clientOperations.renewCertificate({ params: { ...place, certificateUuid: certificate.uuid }, body: {} }),
    onSuccess: async ({ uuid }) => {
      await queries.invalidateQueries({ queryKey: ['certificates'] });
      onClose();
      notify.done(`${titleOf(certificate)} was renewed; this is the new certificate.`);
      await navigate({ to: paths.certificate(uuid) });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>Renew {titleOf(certificate)}?</Text>}>
      <Stack>
        <Text>
          A new certificate with the same key and names is issued under the RA profile {certificate.raProfile?.name}.
          The present one stays valid until it expires or is revoked. For another key, rekey it instead.
        </Text>
        <Refusal error={renew.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={renew.isPending} onClick={() => renew.mutate()}>
            Renew
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** In the order of how often people need them. */
const reasons: readonly { readonly value: CertificateRevocationReason; readonly label: string }[] = [
  { value: 'unspecified', label: 'No particular reason' },
  { value: 'superseded', label: 'Replaced by another certificate' },
  { value: 'cessationOfOperation', label: 'No longer needed' },
  { value: 'keyCompromise', label: 'The key may be in wrong hands' },
  { value: 'affiliationChanged', label: 'The subject belongs elsewhere now' },
  { value: 'privilegeWithdrawn', label: 'The right to it was withdrawn' },
  { value: 'certificateHold', label: 'On hold for now' },
];

function RevokeDialog({ certificate, place, opened, onClose }: DialogProps) {
  const [reason, setReason] = useState<CertificateRevocationReason>('unspecified');
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      api.clientOperations.revokeCertificate({
        params: { ...place, certificateUuid: certificate.uuid },
        body: { reason, attributes: [] },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['certificates'] });
      onClose();
      notify.done(`${titleOf(certificate)} is revoked.`);
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>Revoke {titleOf(certificate)}?</Text>}>
      <Stack>
        <Text>Whoever checks it will refuse it from now on. This cannot be undone.</Text>
        <Select
          label="Reason"
          data={reasons.map(({ value, label }) => ({ value, label }))}
          value={reason}
          onChange={(value) => setReason(reasons.find((each) => each.value === value)?.value ?? 'unspecified')}
        />
        <Refusal error={revoke.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
