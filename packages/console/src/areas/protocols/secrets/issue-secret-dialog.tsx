// Creates a one-time secret for a request under an RA profile and shows the secret once.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { namesOfEnrollmentSecret, type EnrollmentProtocol, type HandedOutSecret } from '@signetry/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { DAY_MS, formatDateTime } from '../../../format/dates.ts';
import { OneTimeDialog } from '../../../kit/one-time-dialog.tsx';
import { PROTOCOLS_KEY } from '../../../queries/protocols.ts';
import { Rejection } from '../../../ui/rejection.tsx';
import { Code } from '../../../ui/code.tsx';
import { protocols } from '../protocol.ts';
import { AltNameFields, type AltNames } from './alt-name-fields.tsx';

export interface IssueSecretDialogProps {
  readonly raProfile: { readonly uuid: string; readonly name: string };
  /** Chosen in the dialog if absent. */
  readonly protocol?: EnrollmentProtocol;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function IssueSecretDialog({ raProfile, protocol, opened, onClose }: IssueSecretDialogProps) {
  const secret = protocol === undefined ? 'one-time secret' : protocols[protocol].secret;
  return (
    <OneTimeDialog<HandedOutSecret>
      opened={opened}
      onClose={onClose}
      title={`New ${secret} for ${raProfile.name}`}
      form={({ onCancel, onMade }) => (
        <IssueSecretForm raProfileUuid={raProfile.uuid} protocol={protocol} onCancel={onCancel} onMade={onMade} />
      )}
      madeTitle={`New ${secret}`}
      what={`the ${secret}`}
      shown={(handedOut) => <IssuedSecret handedOut={handedOut} />}
    />
  );
}

const HOUR_MS = DAY_MS / 24;
const lifetimes = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
] as const;

interface IssueSecretFormProps {
  readonly raProfileUuid: string;
  readonly protocol: EnrollmentProtocol | undefined;
  readonly onCancel: () => void;
  readonly onMade: (secret: HandedOutSecret) => void;
}

function IssueSecretForm({ raProfileUuid, protocol: given, onCancel, onMade }: IssueSecretFormProps) {
  const [protocol, setProtocol] = useState<EnrollmentProtocol>(given ?? 'cmp');
  const [subject, setSubject] = useState('');
  const [altNames, setAltNames] = useState<AltNames>({ dnsNames: [], ipAddresses: [], emails: [] });
  const [hours, setHours] = useState<string>('24');
  const queries = useQueryClient();
  const handOut = useMutation({
    mutationFn: () =>
      api.enrollmentSecrets.createEnrollmentSecret({
        params: { raProfileUuid },
        body: {
          protocol,
          ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
          ...Object.fromEntries(Object.entries(altNames).filter(([, names]) => names.length > 0)),
          expiresAt: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString(),
        },
      }),
    // The response contains the secret, so it is kept only in the dialog and not in the cache.
    gcTime: 0,
    onSuccess: async (made) => {
      onMade(made);
      await queries.invalidateQueries({ queryKey: PROTOCOLS_KEY });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        handOut.mutate();
      }}
    >
      <Stack>
        {given === undefined && <ProtocolField protocol={protocol} onChange={setProtocol} />}
        <TextInput
          data-autofocus
          label="Subject"
          description="The subject of the request must match exactly. If you enter no SANs, its common name is the only name permitted. Leave everything empty to permit any name that the RA profile permits."
          placeholder="CN=device-1.example.com"
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <AltNameFields names={altNames} onChange={setAltNames} />
        <Select
          label="Valid for"
          description="Can be used once within this time"
          allowDeselect={false}
          data={[...lifetimes]}
          value={hours}
          onChange={(value) => setHours(value ?? hours)}
        />
        <Rejection error={handOut.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={handOut.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Protocols with one-time secrets. */
const ENROLLMENT_PROTOCOLS = Object.values(protocols).map(({ id }) => id);

interface ProtocolFieldProps {
  readonly protocol: EnrollmentProtocol;
  readonly onChange: (protocol: EnrollmentProtocol) => void;
}

function ProtocolField({ protocol, onChange }: ProtocolFieldProps) {
  return (
    <Select
      label="Protocol"
      allowDeselect={false}
      data={ENROLLMENT_PROTOCOLS.map((value) => ({
        value,
        label: `${protocols[value].label}: ${protocols[value].secret}`,
      }))}
      value={protocol}
      onChange={(value) => onChange(ENROLLMENT_PROTOCOLS.find((each) => each === value) ?? protocol)}
    />
  );
}

/** Shows a new one-time secret. The secret is not shown anywhere else, so it must be copied now. */
function IssuedSecret({ handedOut }: { readonly handedOut: HandedOutSecret }) {
  const { protocol, reference, secret, expiresAt } = handedOut;
  const names = namesOfEnrollmentSecret(handedOut);
  return (
    <Stack>
      {protocol === 'cmp' && (
        <>
          <Code place="Reference" text={reference} />
          <Code place="Secret" text={secret} />
          <Code place="Flags for openssl cmp" text={`-ref ${reference} -secret pass:${secret}`} />
        </>
      )}
      {protocol === 'scep' && <Code place="Challenge password" text={secret} />}
      {protocol === 'est' && (
        <>
          <Code place="Username" text={reference} />
          <Code place="Password" text={secret} />
          <Code place="Flag for curl" text={`-u ${reference}:${secret}`} />
        </>
      )}
      <Text size="sm" c="dimmed">
        Valid for one certificate request{names === undefined ? '' : ` for ${names}`}, until {formatDateTime(expiresAt)}
        .
      </Text>
    </Stack>
  );
}
