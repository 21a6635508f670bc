// Creates a key. The token profile and the key type determine the attributes.
import { SegmentedControl, Input, Select } from '@mantine/core';
import type { KeyRequestType, TokenProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { keyDefinitionsQuery } from '../../queries/keys.ts';
import { tokenProfileListQuery } from '../../queries/tokens.ts';
import { Callout } from '../../ui/callout.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NewKeyForm } from './key-form.tsx';

export function NewKeyPage() {
  const profiles = useQuery(tokenProfileListQuery);
  return (
    <Page
      title="New key"
      description="The key is created in the token. A private key never leaves its token, unless it is created as exportable."
      parent={{ to: paths.keys.list, label: 'Keys' }}
    >
      <QueryView of={profiles} what="the token profiles" inPanel empty={<NoProfiles />}>
        {(profiles) => <NewKey profiles={profiles.filter(({ enabled }) => enabled)} />}
      </QueryView>
    </Page>
  );
}

function NoProfiles() {
  return (
    <Empty
      title="No token profiles yet"
      action={
        <ActionButton
          action={{
            label: 'Add token profile',
            isPrimary: true,
            needs: ['tokenProfiles', 'create'],
            to: paths.tokenProfiles.new,
          }}
        />
      }
    >
      Keys are created under a token profile. It determines the token that stores the key and the allowed usages.
    </Empty>
  );
}

/** `keyPair` is the default. */
const types: readonly { readonly value: KeyRequestType; readonly label: string }[] = [
  { value: 'keyPair', label: 'Key pair' },
  { value: 'secret', label: 'Secret key' },
];

function NewKey({ profiles }: { readonly profiles: readonly TokenProfileDto[] }) {
  const { tokenProfile: wanted }: { readonly tokenProfile?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState(wanted);
  const [type, setType] = useState<KeyRequestType>('keyPair');
  const [only, ...others] = profiles;
  const profile = profiles.find(({ uuid }) => uuid === chosen) ?? (others.length === 0 ? only : undefined);
  const place = profile && { tokenInstanceUuid: profile.tokenInstanceUuid, tokenProfileUuid: profile.uuid, type };
  const definitions = useQuery(keyDefinitionsQuery(place));
  const instead = place ? (
    <QueryView of={definitions} what="the key attributes">
      {() => null}
    </QueryView>
  ) : (
    <Empty title="Choose a token profile">The supported kinds of keys depend on the token.</Empty>
  );
  return (
    <NewKeyForm
      place={definitions.data && place}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      placeFields={
        <>
          <Select
            label="Token profile"
            description="Determines the token that stores the key and the allowed usages."
            required
            searchable
            placeholder="Choose"
            nothingFoundMessage="No matching enabled token profile"
            data={profiles.map(({ uuid, name, tokenInstanceName }) => ({
              value: uuid,
              label: `${name} (${tokenInstanceName})`,
            }))}
            value={profile?.uuid ?? null}
            onChange={(uuid) => setChosen(uuid ?? undefined)}
          />
          {profile?.tokenInstanceStatus === 'Deactivated' && <Inactive profile={profile} />}
          <TypeField type={type} onChange={setType} />
        </>
      }
    />
  );
}

const Inactive = ({ profile }: { readonly profile: TokenProfileDto }) => (
  <Callout tone="warn" title="The token is deactivated">
    Keys cannot be created in it. Activate{' '}
    <TextLink to={paths.tokens.one(profile.tokenInstanceUuid)} inSentence>
      {profile.tokenInstanceName}
    </TextLink>{' '}
    first.
  </Callout>
);

interface TypeFieldProps {
  readonly type: KeyRequestType;
  readonly onChange: (type: KeyRequestType) => void;
}

function TypeField({ type, onChange }: TypeFieldProps) {
  const id = useId();
  return (
    <Input.Wrapper
      label="Type"
      labelElement="div"
      labelProps={{ id }}
      description="A key pair signs and decrypts with its private key. A secret key encrypts and decrypts, or authenticates."
    >
      <SegmentedControl
        mt="xs"
        aria-labelledby={id}
        data={[...types]}
        value={type}
        onChange={(value) => onChange(types.find((each) => each.value === value)?.value ?? 'keyPair')}
      />
    </Input.Wrapper>
  );
}
