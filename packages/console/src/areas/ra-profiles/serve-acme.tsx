// Serves ACME under the name of an RA profile: an ACME profile is chosen, and the authority is told what it asks for.
import { Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { isField } from '../../ui/attributes/attribute-values.ts';
import type { AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { Callout } from '../../ui/callout.tsx';
import { notify } from '../../ui/notices.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { profileListQuery } from '../acme/queries.ts';
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
      <Modal
        opened={opened}
        onClose={dialog.close}
        size="lg"
        title={<Text fw={650}>Serve ACME under the name {name}</Text>}
      >
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
    notify.done(`${profile.name} serves ACME.`);
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
          Clients get a directory URL of this RA profile. Accounts and rules are those of the ACME profile; certificates
          are issued under {profile.name}, whatever the ACME profile issues under otherwise.
        </Text>
        <Select
          data-autofocus
          label="ACME profile"
          placeholder={acmeProfiles === undefined ? 'Loading…' : 'Choose one'}
          searchable
          nothingFoundMessage="There is none. Make one in the room ACME first."
          data={(acmeProfiles ?? []).map(({ uuid, name, enabled }) => ({
            value: uuid,
            label: enabled ? name : `${name} (disabled)`,
          }))}
          value={chosen}
          onChange={setChosen}
        />
        <Told attributes={attributes} />
        {refusal && (
          <Callout tone="bad" title={refusal.title} urgent>
            {refusal.problems.join(' ')}
          </Callout>
        )}
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
            What the authority is told
          </Button>
        </div>
      )}
      {(isNeeded || opened) && (
        <>
          <Fields title="Told to the authority when it issues" form={issue} />
          <Fields title="Told to the authority when it revokes" form={revoke} />
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
