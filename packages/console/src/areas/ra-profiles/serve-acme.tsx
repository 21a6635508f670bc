// Serves ACME for an RA profile, with an ACME profile and the settings that the authority requires.
import { Button, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { profileListQuery } from '../../queries/acme.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import type { AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';
import { useCertificateAttributes, type CertificateAttributeForms } from '../acme/settings/certificate-attributes.ts';

export interface ServeAcmeProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function ServeAcme(props: ServeAcmeProps) {
  return (
    <ActionButton
      size="compact-sm"
      action={{
        label: 'Serve ACME',
        needs: ['raProfiles', 'update', props.profile.uuid],
        dialog: ({ opened, onClose }) => opened && <ServeDialog {...props} onClose={onClose} />,
      }}
    />
  );
}

function ServeDialog({ profile, authorityUuid, onClose }: ServeAcmeProps & { readonly onClose: () => void }) {
  const { data: acmeProfiles = [], isPending } = useQuery(profileListQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const attributes = useCertificateAttributes(profile.uuid, undefined);
  const queries = useQueryClient();
  const serve = async (): Promise<void> => {
    const params = { authorityUuid, raProfileUuid: profile.uuid, acmeProfileUuid: chosen ?? '' };
    await api.raProfileAcme.activateAcmeForRaProfile({ params, body: attributes.request() });
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    notify.done(`ACME is served for ${profile.name}.`);
  };
  return (
    <FormDialog
      title={`Serve ACME for ${profile.name}`}
      submitLabel="Serve ACME"
      onClose={onClose}
      isReady={chosen !== null && !attributes.isLoading}
      further={attributes}
      submit={serve}
    >
      <Text>
        Clients get a directory URL for this RA profile. Accounts and rules come from the ACME profile; certificates are
        issued under {profile.name}, whichever RA profile the ACME profile itself uses.
      </Text>
      <Select
        data-autofocus
        label="ACME profile"
        placeholder={isPending ? 'Loading…' : 'Choose one'}
        searchable
        nothingFoundMessage="No ACME profile found. Create one under ACME first."
        data={acmeProfiles.map(({ uuid, name, enabled }) => ({
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

/** Collapsed where none is required: for most authorities, the request of the client is enough. */
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
