// Sets the endpoint that serves the certificates of a location.
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { MAX_PROBE_SECONDS, StartTlsProtocol, type LocationProbe } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import type { LocationDetail, Probe } from '../../queries/entities.ts';
import { DurationField } from '../../ui/duration-field.tsx';
import { notify } from '../../ui/notices.tsx';
import { locationPathOf } from './location-actions.tsx';

export const startTlsTexts: Readonly<Record<StartTlsProtocol, string>> = {
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ldap: 'LDAP',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  ftp: 'FTP',
  xmpp: 'XMPP',
};

/** Default values of the API. */
export const defaultProbe: LocationProbe = { host: '', port: 443, timeoutSeconds: 60, restorePrevious: true };

export interface ProbeDialogProps {
  readonly location: LocationDetail;
  readonly probe: Probe | undefined;
  readonly onClose: () => void;
}

/** Rendered only while open. */
export function ProbeDialog({ location, probe, onClose }: ProbeDialogProps) {
  const [values, setValues] = useState<LocationProbe>({ ...defaultProbe, ...probe });
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
        await api.locationDeployment.setLocationProbe({ params: locationPathOf(location), body });
        await queries.invalidateQueries({ queryKey: ['locations'] });
        notify.done(`The endpoint of ${location.name} was saved.`);
      }}
    >
      <ProbeFields
        values={values}
        change={change}
        onStartTls={(value) => setValues(({ startTls: _before, ...now }) => ({ ...now, ...toStartTls(value) }))}
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
        description="Host name or IP address that clients use. All addresses of a host name are checked."
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
        label="Server name (SNI)"
        description="Required only if it differs from the host."
        spellCheck={false}
        autoComplete="off"
        value={serverName}
        onChange={(event) => change({ serverName: event.currentTarget.value })}
      />
      <Select
        label="STARTTLS"
        description="For protocols that start in plaintext."
        placeholder="None: TLS from the start"
        clearable
        data={StartTlsProtocol.options.map((value) => ({ value, label: startTlsTexts[value] }))}
        value={startTls ?? null}
        onChange={onStartTls}
      />
      <DurationField
        label="Timeout"
        description="How long the endpoint is checked after an installation. At most 1 hour."
        seconds={timeoutSeconds}
        onChange={(seconds) => change({ timeoutSeconds: seconds })}
      />
      <Checkbox
        label="Restore the previous certificate if the new one is not served in time"
        checked={restorePrevious}
        onChange={(event) => change({ restorePrevious: event.currentTarget.checked })}
      />
    </>
  );
}

function toStartTls(value: string | null): Pick<LocationProbe, 'startTls'> {
  const startTls = StartTlsProtocol.options.find((each) => each === value);
  return startTls ? { startTls } : {};
}
