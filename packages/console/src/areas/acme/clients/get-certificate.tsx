// Instructions for one client: names, trust, external account key (if required), commands, renewal.
import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure, useSessionStorage } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../../kit/actions.tsx';
import { chooseRaProfile } from '../profile-actions.tsx';
import { Callout } from '../../../ui/callout.tsx';
import { Code } from '../../../ui/code.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CreateKeyDialog } from '../eab-keys/create-key-dialog.tsx';
import { rootCertificateQuery } from '../../../queries/acme.ts';
import type { Profile } from '../shapes.ts';
import { acmeClients, clientOf } from './catalog.ts';
import chooser from './chooser.module.css';
import { EXAMPLE_KEY, namesFrom, type ExternalKey, type Setup } from './setup.ts';
import { Step } from './step.tsx';
import classes from './steps.module.css';
import { TrustStep } from './trust-step.tsx';

const EXAMPLE_EMAIL = 'admin@example.com';

export interface GetCertificateProps {
  readonly profile: Profile;
  readonly client: string | undefined;
  readonly onClient: (id: string) => void;
}

export function GetCertificate({ profile, client: wanted, onClient }: GetCertificateProps) {
  const [names, setNames] = useSessionStorage({ key: 'acme-names', defaultValue: '' });
  const [email, setEmail] = useSessionStorage({ key: 'acme-email', defaultValue: '' });
  /** Kept only in memory while the page is open, and used to complete the commands. */
  const [key, setKey] = useState<ExternalKey>();
  const { data: root } = useQuery(rootCertificateQuery);
  const { directoryUrl, externalAccountRequired = false } = profile;
  if (directoryUrl === undefined) return <NoDirectory uuid={profile.uuid} />;

  const client = clientOf(wanted);
  const setup: Setup = {
    directoryUrl,
    names: namesFrom(names),
    email: email.trim() || EXAMPLE_EMAIL,
    externalKey: externalAccountRequired ? (key ?? EXAMPLE_KEY) : undefined,
    rootBase64: root ? btoa(root.pem) : 'BASE64_OF_ROOT_CA_PEM',
  };
  return (
    <Panel>
      {isOnLoopback(directoryUrl) && <LoopbackNotice />}
      <ClientChooser chosen={client.id} onChoose={onClient} />
      <ol className={classes.steps}>
        <NamesStep names={names} onNames={setNames} email={email} onEmail={setEmail} />
        {client.trust !== 'snippet' && (
          <TrustStep trust={client.trust} directoryUrl={directoryUrl} fingerprint={root?.fingerprint} />
        )}
        {externalAccountRequired && <KeyStep profile={profile} known={key} onKey={setKey} />}
        {client.snippets(setup).map(({ title, before, place, text, after }) => (
          <Step key={`${client.id} ${title}`} title={title}>
            {before !== undefined && <Remark>{before}</Remark>}
            <Code place={place} text={text} what={`${client.label}, ${title}`} />
            {after !== undefined && <Remark>{after}</Remark>}
          </Step>
        ))}
      </ol>
      <div className={chooser.after}>
        <Text size="sm">{client.renewal}</Text>
        <Text size="sm" c="dimmed">
          To check that the client controls its names, the platform connects to port 80 or 443 of each name, or looks up
          a DNS record. The platform must be able to reach them.{' '}
          {client.untried &&
            `These steps follow the ${client.label} documentation and have not been tested with this platform yet.`}
        </Text>
      </div>
    </Panel>
  );
}

function LoopbackNotice() {
  return (
    <div className={chooser.notice}>
      <Callout tone="wait" title="Only clients on this machine can use the directory">
        The platform listens on loopback only. To serve clients on other machines, start it with{' '}
        <code>--https 0.0.0.0:8443</code> and <code>--public-url https://NAME:8443</code>, where NAME is a host name
        that those machines can reach.
      </Callout>
    </div>
  );
}

function ClientChooser({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (id: string) => void }) {
  return (
    <div className={chooser.clients} role="group" aria-label="Client">
      {acmeClients.map(({ id, label }) => (
        <UnstyledButton key={id} className={chooser.client} aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {label}
        </UnstyledButton>
      ))}
    </div>
  );
}

interface NamesStepProps {
  readonly names: string;
  readonly onNames: (names: string) => void;
  readonly email: string;
  readonly onEmail: (email: string) => void;
}

function NamesStep({ names, onNames, email, onEmail }: NamesStepProps) {
  return (
    <Step title="Enter the names">
      <div className={classes.inputs}>
        <TextInput
          label="Host names"
          placeholder={namesFrom('')[0]}
          description="Separated by spaces"
          value={names}
          onChange={(event) => onNames(event.currentTarget.value)}
        />
        <TextInput
          label="Contact address"
          placeholder={EXAMPLE_EMAIL}
          description="Stored with the account"
          value={email}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
      </div>
      {namesFrom(names).some((name) => name.startsWith('*.')) && (
        <Text size="sm" c="var(--warn)">
          Wildcard names can be validated only with a DNS record: use the client’s dns-01 challenge instead of the one
          below.
        </Text>
      )}
    </Step>
  );
}

const Remark = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

function KeyStep(props: {
  readonly profile: Profile;
  readonly known: ExternalKey | undefined;
  readonly onKey: (key: ExternalKey) => void;
}) {
  const { profile, known, onKey } = props;
  const [creating, creation] = useDisclosure();
  return (
    <Step title="Get an external account key">
      <Text size="sm" c="dimmed">
        {known
          ? 'The commands below contain the new key until you leave this page.'
          : 'Only clients with a key can register an account in this directory. Create a key here, or replace KEY_ID and MAC_KEY with the values of an existing key.'}
      </Text>
      <div>
        <ActionButton
          action={{
            label: known ? 'Create another key' : 'Create key',
            icon: IconKey,
            needs: ['acmeProfiles', 'update', profile.uuid],
            open: creation.open,
          }}
        />
      </div>
      <CreateKeyDialog profile={profile} opened={creating} onClose={creation.close} onCreated={onKey} />
    </Step>
  );
}

function NoDirectory({ uuid }: { readonly uuid: string }) {
  return (
    <Panel>
      <Empty title="No directory yet" action={<ActionButton action={chooseRaProfile(uuid)} />}>
        The RA profile determines the issuing authority and the certificate contents.
      </Empty>
    </Panel>
  );
}

const isOnLoopback = (url: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
