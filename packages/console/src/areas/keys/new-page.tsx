// A new key: its token profile and its type decide which further fields there are.
import { SegmentedControl, Input, Select } from '@mantine/core';
import type { KeyRequestType, TokenProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
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
      description="Created in the token, which the private key never leaves."
      parent={{ to: paths.keys.list, label: 'Keys' }}
    >
      <Reading of={profiles} what="the token profiles" inPanel empty={<NoProfiles />}>
        {(profiles) => <NewKey profiles={profiles.filter(({ enabled }) => enabled)} />}
      </Reading>
    </Page>
  );
}

function NoProfiles() {
  return (
    <Empty
      title="There is no token profile yet"
      action={
        <ActionButton
          action={{
            label: 'Add a token profile',
            isPrimary: true,
            needs: ['tokenProfiles', 'create'],
            to: paths.tokenProfiles.new,
          }}
        />
      }
    >
      A key is created under a token profile, which says in which token it is kept and what it may be used for.
    </Empty>
  );
}

/** `keyPair` is the usual one. */
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
    <Reading of={definitions} what="what a key is made with">
      {() => null}
    </Reading>
  ) : (
    <Empty title="Choose a token profile">Each token makes keys of its own kinds.</Empty>
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
            description="Says in which token the key is kept and what it may be used for."
            required
            searchable
            placeholder="Choose"
            nothingFoundMessage="No enabled token profile of that name"
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
    No key can be created in it. Activate{' '}
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
