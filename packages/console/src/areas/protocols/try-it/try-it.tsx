// Instructions for one client to obtain a certificate: host name, trust, secret (if required), commands.
import { Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure, useSessionStorage } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../../kit/actions.tsx';
import { rootCertificateQuery } from '../../../queries/acme.ts';
import type { ProtocolProfile } from '../../../queries/protocols.ts';
import { Code } from '../../../ui/code.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Panel } from '../../../ui/panel.tsx';
import chooser from '../../acme/clients/chooser.module.css';
import { Step } from '../../acme/clients/step.tsx';
import steps from '../../acme/clients/steps.module.css';
import { TrustStep } from '../../acme/clients/trust-step.tsx';
import { chooseRaProfile } from '../profile-actions.tsx';
import type { Protocol } from '../protocol.ts';
import { IssueSecretDialog } from '../secrets/issue-secret-dialog.tsx';
import type { SecretStep, TryClient } from './client.ts';

const EXAMPLE_HOST = 'device-1.example.com';

export interface TryItProps {
  readonly protocol: Protocol;
  readonly profile: ProtocolProfile;
  readonly clients: readonly [TryClient, ...TryClient[]];
  readonly secretStep: SecretStep | undefined;
  /** Client selected in the URL. */
  readonly client: string | undefined;
  readonly onClient: (id: string) => void;
}

export function TryIt({ protocol, profile, clients, secretStep, client: wanted, onClient }: TryItProps) {
  const [host, setHost] = useSessionStorage({ key: 'try-host', defaultValue: '' });
  const { data: root } = useQuery(rootCertificateQuery);
  const { url, name } = profile;
  if (url === undefined) return <NoProfileUrl protocol={protocol} uuid={profile.uuid} />;
  const client = clients.find(({ id }) => id === wanted) ?? clients[0];
  const setup = { url, profile: name, host: host.trim() || EXAMPLE_HOST };
  return (
    <Panel>
      <Chooser clients={clients} chosen={client.id} onChoose={onClient} />
      <ol className={steps.steps}>
        <Step title="Enter the host name">
          <div className={steps.inputs}>
            <TextInput
              label="Host name"
              description="Host name in the certificate"
              placeholder={EXAMPLE_HOST}
              value={host}
              onChange={(event) => setHost(event.currentTarget.value)}
            />
          </div>
        </Step>
        {client.trust !== 'itself' && (
          <TrustStep trust={client.trust} directoryUrl={url} fingerprint={root?.fingerprint} />
        )}
        {secretStep && <OneTimeSecret protocol={protocol} profile={profile} step={secretStep} />}
        {client.snippets(setup).map(({ title, before, place, text, after }) => (
          <Step key={`${client.id} ${title}`} title={title}>
            {before !== undefined && <Remark>{before}</Remark>}
            <Code place={place} text={text} what={`${client.label}, ${title}`} />
            {after !== undefined && <Remark>{after}</Remark>}
          </Step>
        ))}
      </ol>
      <div className={chooser.after}>
        <Text size="sm">{client.remark}</Text>
        {client.untried && (
          <Text size="sm" c="dimmed">
            These steps follow the documentation of {client.label} and have not been tested with this platform yet.
          </Text>
        )}
      </div>
    </Panel>
  );
}

const Remark = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

function Chooser(props: {
  readonly clients: readonly TryClient[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  return (
    <div className={chooser.clients} role="group" aria-label="Client">
      {props.clients.map(({ id, label }) => (
        <UnstyledButton
          key={id}
          className={chooser.client}
          aria-pressed={id === props.chosen}
          onClick={() => props.onChoose(id)}
        >
          {label}
        </UnstyledButton>
      ))}
    </div>
  );
}

function OneTimeSecret({
  protocol,
  profile,
  step,
}: Pick<TryItProps, 'protocol' | 'profile'> & { readonly step: SecretStep }) {
  const [isOpen, dialog] = useDisclosure();
  const { raProfile } = profile;
  return (
    <Step title={step.title}>
      <Remark>{step.text}</Remark>
      {step.takesOneTime && raProfile && (
        <div>
          <ActionButton
            action={{
              label: `Create ${protocol.secret}`,
              icon: IconKey,
              needs: ['raProfiles', 'update', raProfile.uuid],
              open: dialog.open,
            }}
          />
          <IssueSecretDialog raProfile={raProfile} protocol={protocol.id} opened={isOpen} onClose={dialog.close} />
        </div>
      )}
    </Step>
  );
}

function NoProfileUrl({ protocol, uuid }: { readonly protocol: Protocol; readonly uuid: string }) {
  return (
    <Panel>
      <Empty title="No URL yet" action={<ActionButton action={chooseRaProfile(protocol, uuid)} />}>
        The RA profile determines the issuing authority and the certificate contents.
      </Empty>
    </Panel>
  );
}
