// Serves a protocol for an RA profile, using a protocol profile and the settings that the authority requires.
import { Button, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import type { AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';
import {
  useCertificateAttributes,
  type CertificateAttributeForms,
} from '../protocol-settings/certificate-attributes.ts';
import type { ServedProtocol } from './served-protocols.ts';

export interface ServeProtocolProps {
  readonly protocol: ServedProtocol;
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function ServeProtocol(props: ServeProtocolProps) {
  return (
    <ActionButton
      size="compact-sm"
      action={{
        label: `Serve ${props.protocol.label}`,
        needs: ['raProfiles', 'update', props.profile.uuid],
        dialog: ({ opened, onClose }) => opened && <ServeDialog {...props} onClose={onClose} />,
      }}
    />
  );
}

function ServeDialog({
  protocol,
  profile,
  authorityUuid,
  onClose,
}: ServeProtocolProps & { readonly onClose: () => void }) {
  const { label } = protocol;
  const { data: choices = [], isPending } = useQuery({
    queryKey: [...protocol.choicesKey, 'choices'],
    queryFn: ({ signal }) => protocol.choices(signal),
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const attributes = useCertificateAttributes(profile.uuid, undefined, { revokes: protocol.revokes });
  const queries = useQueryClient();
  const serve = async (): Promise<void> => {
    await protocol.serve({ authorityUuid, raProfileUuid: profile.uuid }, chosen ?? '', attributes.request());
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    notify.done(`${label} is now served for ${profile.name}.`);
  };
  return (
    <FormDialog
      title={`Serve ${label} for ${profile.name}`}
      submitLabel={`Serve ${label}`}
      onClose={onClose}
      isReady={chosen !== null && !attributes.isLoading}
      further={attributes}
      submit={serve}
    >
      <Text>
        Clients get a URL for this RA profile. The rules come from the {label} profile; certificates are issued under{' '}
        {profile.name}, regardless of the RA profile that the {label} profile itself uses.
      </Text>
      <Select
        data-autofocus
        label={`${label} profile`}
        placeholder={isPending ? 'Loading…' : 'Choose one'}
        searchable
        nothingFoundMessage={`No ${label} profile found. Create one under ${label} first.`}
        data={choices.map(({ uuid, name, enabled }) => ({
          value: uuid,
          label: enabled ? name : `${name} (disabled)`,
        }))}
        value={chosen}
        onChange={setChosen}
      />
      <AuthoritySettings attributes={attributes} />
    </FormDialog>
  );
}

/** Collapsed unless a setting is required. Most authorities need only the client's request. */
function AuthoritySettings({ attributes: { issue, revoke } }: { readonly attributes: CertificateAttributeForms }) {
  const [opened, more] = useDisclosure();
  const definitions = [...issue.definitions, ...revoke.definitions];
  if (definitions.length === 0) return null;
  const isNeeded = definitions.some((definition) => isField(definition) && definition.properties.required);
  return (
    <>
      {!isNeeded && (
        <div>
          <Button variant="subtle" size="compact-sm" aria-expanded={opened} onClick={more.toggle}>
            Authority settings
          </Button>
        </div>
      )}
      {(isNeeded || opened) && (
        <>
          <Fields title="For issuing" form={issue} />
          <Fields title="For revoking" form={revoke} />
        </>
      )}
    </>
  );
}

function Fields({ title, form }: { readonly title: string; readonly form: AttributeFormModel }) {
  if (form.definitions.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={3}>{title}</Title>
      <AttributeFields form={form} />
    </Stack>
  );
}
