// Button that creates a SCEP RA certificate with everything that it needs, and shows the new token's activation code.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ScepRaCertificate } from '@signetry/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { OneTimeDialog } from '../../kit/one-time-dialog.tsx';
import type { Needs } from '../../kit/rights.ts';
import { Copy } from '../../ui/copy.tsx';
import { notify } from '../../ui/notices.tsx';

export interface CreateRaCertificateProps {
  /** RA profile whose authority issues the certificate; empty if none is selected. */
  readonly raProfileUuid: string;
  readonly onCreated: (certificateUuid: string) => void;
}

const LABEL = 'Create certificate';

const needs: Needs = [
  ['scepProfiles', 'create'],
  ['tokens', 'create'],
  ['tokenProfiles', 'create'],
  ['keys', 'create'],
  ['raProfiles', 'create'],
  ['certificates', 'issue'],
];

export function CreateRaCertificate({ raProfileUuid, onCreated }: CreateRaCertificateProps) {
  const action: Action =
    raProfileUuid === ''
      ? { label: LABEL, needs, why: 'Select an RA profile first' }
      : {
          label: LABEL,
          needs,
          dialog: (dialog) => <CreateDialog {...dialog} raProfileUuid={raProfileUuid} onCreated={onCreated} />,
        };
  return <ActionButton action={action} />;
}

type NewToken = Required<Pick<ScepRaCertificate, 'tokenName' | 'activationCode'>>;

function CreateDialog({
  opened,
  onClose,
  raProfileUuid,
  onCreated,
}: CreateRaCertificateProps & { readonly opened: boolean; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const made = await api.scepRaCertificates.ensureScepRaCertificate({ body: { raProfileUuid } });
      await queries.invalidateQueries();
      onCreated(made.certificateUuid);
      notify.done(made.created ? 'The SCEP RA certificate was created.' : 'An existing certificate was selected.');
      return made;
    },
    onError: notify.failed,
  });
  const start = async (onMade: (made: NewToken) => void, onCancel: () => void): Promise<void> => {
    const { tokenName, activationCode } = await create.mutateAsync();
    if (tokenName === undefined || activationCode === undefined) onCancel();
    else onMade({ tokenName, activationCode });
  };
  return (
    <OneTimeDialog<NewToken>
      opened={opened}
      onClose={onClose}
      title="Create SCEP RA certificate"
      madeTitle="SCEP RA certificate created"
      what="the activation code"
      form={({ onCancel, onMade }) => (
        <Stack>
          <Text>
            Creates an RSA key in a software token and a certificate that permits signing and decryption. The token and
            the RA profile scep-ra are also created unless they exist.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button loading={create.isPending} onClick={() => void start(onMade, onCancel).catch(() => undefined)}>
              Create
            </Button>
          </Group>
        </Stack>
      )}
      shown={({ tokenName, activationCode }) => (
        <Stack gap="xs">
          <Text>
            Token {tokenName} stays active across restarts. If a user deactivates it, this code activates it again:
          </Text>
          <Group gap="xs">
            <Text ff="monospace">{activationCode}</Text>
            <Copy text={activationCode} what="Activation code" />
          </Group>
        </Stack>
      )}
    />
  );
}
