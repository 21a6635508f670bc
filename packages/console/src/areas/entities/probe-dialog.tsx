// Names the endpoint that serves what a location holds.
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { MAX_PROBE_SECONDS, StartTlsProtocol, type LocationProbe } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import type { LocationDetail, Probe } from '../../queries/entities.ts';
import { DurationField } from '../../ui/duration-field.tsx';
import { notify } from '../../ui/notices.tsx';
import { placeOf } from './location-actions.tsx';

export const startTlsWords: Readonly<Record<StartTlsProtocol, string>> = {
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ldap: 'LDAP',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  ftp: 'FTP',
  xmpp: 'XMPP',
};

/** The defaults of the interface. */
export const usualProbe: LocationProbe = { host: '', port: 443, timeoutSeconds: 60, restorePrevious: true };

export interface ProbeDialogProps {
  readonly location: LocationDetail;
  readonly probe: Probe | undefined;
  readonly onClose: () => void;
}

/** Rendered only while it is open. */
export function ProbeDialog({ location, probe, onClose }: ProbeDialogProps) {
  const [values, setValues] = useState<LocationProbe>({ ...usualProbe, ...probe });
  const { host, port, serverName = '', startTls, timeoutSeconds, restorePrevious } = values;
  const change = (changed: Partial<LocationProbe>): void => setValues((now) => ({ ...now, ...changed }));
  const queries = useQueryClient();
  return (
    <FormDialog
      title={`Endpoint of ${location.name}`}
      submitLabel="Save"
      onClose={onClose}
      isReady={host.trim() !== '' && timeoutSeconds >= 1 && timeoutSeconds <= MAX_PROBE_SECONDS}
      submit={async () => {
        const name = serverName.trim();
        const body = {
          host: host.trim(),
          port,
          timeoutSeconds,
          restorePrevious,
          ...(name !== '' && { serverName: name }),
          ...(startTls && { startTls }),
        };
        await api.locationDeployment.setLocationProbe({ params: placeOf(location), body });
        await queries.invalidateQueries({ queryKey: ['locations'] });
        notify.done(`The endpoint of ${location.name} was saved.`);
      }}
    >
      <ProbeFields
        values={values}
        change={change}
        onStartTls={(value) => setValues(({ startTls: _before, ...now }) => ({ ...now, ...chosen(value) }))}
      />
    </FormDialog>
  );
}

interface ProbeFieldsProps {
  readonly values: LocationProbe;
  readonly change: (changed: Partial<LocationProbe>) => void;
  readonly onStartTls: (value: string | null) => void;
}

function ProbeFields({ values, change, onStartTls }: ProbeFieldsProps) {
  const { host, port, serverName = '', startTls, timeoutSeconds, restorePrevious } = values;
  return (
    <>
      <TextInput
        label="Host"
        description="Name or address as clients use it; all addresses of a name are asked."
        required
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        value={host}
        onChange={(event) => change({ host: event.currentTarget.value })}
      />
      <NumberInput
        label="Port"
        required
        w="10rem"
        min={1}
        max={65_535}
        allowDecimal={false}
        clampBehavior="strict"
        value={port}
        onChange={(value) => change({ port: Number(value) })}
      />
      <TextInput
        label="Name asked for"
        description="In the handshake (SNI), where it is not the host."
        spellCheck={false}
        autoComplete="off"
        value={serverName}
        onChange={(event) => change({ serverName: event.currentTarget.value })}
      />
      <Select
        label="STARTTLS"
        description="Where TLS does not begin at once."
        placeholder="TLS begins at once"
        clearable
        data={StartTlsProtocol.options.map((value) => ({ value, label: startTlsWords[value] }))}
        value={startTls ?? null}
        onChange={onStartTls}
      />
      <DurationField
        label="Asked for up to"
        description="After an installation, until it is served. At most an hour."
        seconds={timeoutSeconds}
        onChange={(seconds) => change({ timeoutSeconds: seconds })}
      />
      <Checkbox
        label="Put the previous certificate back when the new one is not served in time"
        checked={restorePrevious}
        onChange={(event) => change({ restorePrevious: event.currentTarget.checked })}
      />
    </>
  );
}

function chosen(value: string | null): Pick<LocationProbe, 'startTls'> {
  const startTls = StartTlsProtocol.options.find((each) => each === value);
  return startTls ? { startTls } : {};
}
