// Serves ACME for an RA profile: an ACME profile is chosen, and the settings that the authority asks for.
import { Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import type { AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { notify } from '../../ui/notices.tsx';
import { RefusalCallout } from '../../ui/refusal.tsx';
import { useSubmission } from '../../kit/use-submission.ts';
import { profileListQuery } from '../../queries/acme.ts';
import { useCertificateAttributes, type CertificateAttributeForms } from '../acme/settings/certificate-attributes.ts';

export interface ServeAcmeProps {
  readonly profile: RaProfileDto;
  readonly authorityUuid: string;
}

export function ServeAcme(props: ServeAcmeProps) {
  const [opened, dialog] = useDisclosure();
  const { name } = props.profile;
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={dialog.open}>
        Serve ACME
      </Button>
      <Modal opened={opened} onClose={dialog.close} size="lg" title={<Text fw={650}>Serve ACME for {name}</Text>}>
        <ServeForm {...props} onClose={dialog.close} />
      </Modal>
    </>
  );
}

function ServeForm({ profile, authorityUuid, onClose }: ServeAcmeProps & { readonly onClose: () => void }) {
  const { data: acmeProfiles } = useQuery(profileListQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const attributes = useCertificateAttributes(profile.uuid, undefined);
  const { isPending, refusal, send } = useSubmission([], attributes);
  const queries = useQueryClient();
  const serve = async (acmeProfileUuid: string): Promise<void> => {
    await api.raProfileAcme.activateAcmeForRaProfile({
      params: { authorityUuid, raProfileUuid: profile.uuid, acmeProfileUuid },
      body: attributes.request(),
    });
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    notify.done(`ACME is served for ${profile.name}.`);
    onClose();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null && attributes.check()) void send(() => serve(chosen));
      }}
    >
      <Stack>
        <Text>
          Clients get a directory URL for this RA profile. Accounts and rules come from the ACME profile; certificates
          are issued under {profile.name}, whichever RA profile the ACME profile itself uses.
        </Text>
        <Select
          data-autofocus
          label="ACME profile"
          placeholder={acmeProfiles === undefined ? 'Loading…' : 'Choose one'}
          searchable
          nothingFoundMessage="No ACME profile found. Create one under ACME first."
          data={(acmeProfiles ?? []).map(({ uuid, name, enabled }) => ({
            value: uuid,
            label: enabled ? name : `${name} (disabled)`,
          }))}
          value={chosen}
          onChange={setChosen}
        />
        <Told attributes={attributes} />
        <RefusalCallout refusal={refusal} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={chosen === null || attributes.isLoading}>
            Serve ACME
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Folded where nothing of it is needed: most authorities do with what the client asks for. */
function Told({ attributes: { issue, revoke } }: { readonly attributes: CertificateAttributeForms }) {
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
