// Automatic renewal of certificates that are in locations or whose keys are in tokens, and the results of renewal.
import { NumberInput, Radio, Stack, Switch, Text } from '@mantine/core';
import type { AutomaticRenewal, AutomaticRenewalSettings, RaProfileDto } from '@signetry/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { formatDateTime } from '../../format/dates.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { renewalSettingsQuery, renewalsQuery } from '../../queries/ra-profiles.ts';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State, stateOf } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './renewal.module.css';

interface RenewalProps {
  readonly profile: Pick<RaProfileDto, 'uuid' | 'name'>;
}

export function Renewal({ profile }: RenewalProps) {
  const { uuid } = profile;
  const mayList = useMayList();
  const sees = mayList('certificates') && mayList('locations');
  const settings = useQuery(renewalSettingsQuery(uuid));
  const renewals = useQuery({ ...renewalsQuery(uuid), enabled: sees });
  return (
    <Panel
      title="Automatic renewal"
      actions={
        settings.data && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Change',
              name: 'Change automatic renewal',
              needs: ['raProfiles', 'update', uuid],
              dialog: ({ opened, onClose }) =>
                opened && <RenewalDialog profile={profile} settings={settings.data} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <QueryView of={settings} what="the renewal settings">
        {({ automatic, daysBefore, tokenKeys, paused }) => (
          <Facts
            facts={[
              { name: 'Certificates in locations', value: automatic ? 'Automatic' : 'Manual' },
              {
                name: 'Certificates with keys in tokens',
                value: automatic && tokenKeys ? 'Automatic' : 'Manual',
              },
              { name: 'State', value: automatic && paused ? <State tone="warn">Paused</State> : undefined },
              { name: 'Renewal window', value: automatic ? windowText(daysBefore) : undefined },
            ]}
          />
        )}
      </QueryView>
      {renewals.data && renewals.data.renewals.length > 0 && (
        <ul className={classes.list} aria-label="Recent renewals">
          {renewals.data.renewals.map((each) => (
            <One key={`${each.locationUuid ?? ''} ${each.certificateUuid}`} renewal={each} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const windowText = (daysBefore: number | undefined): string =>
  daysBefore === undefined
    ? 'last third of the validity period'
    : `${daysBefore === 1 ? '1 day' : `${daysBefore} days`} before expiry`;

const RenewalState = stateOf<AutomaticRenewal['state']>({
  planned: ['wait', 'Planned'],
  renewing: ['wait', 'Being renewed'],
  renewed: ['good', 'Renewed'],
  ended: ['bad', 'Expired before renewal'],
});

function One({ renewal }: { readonly renewal: AutomaticRenewal }) {
  const { certificateUuid, commonName, state, at, attempts, problem } = renewal;
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <TextLink to={paths.certificates.one(certificateUuid)}>{commonName}</TextLink>
        {problem !== undefined && state === 'planned' ? (
          <State tone="warn">Failed, will retry</State>
        ) : (
          <RenewalState of={state} />
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.words}>
        {state === 'planned' ? waitText(renewal) : formatDateTime(at)}, <RenewalTarget of={renewal} />
        {attempts > 1 ? `, ${attempts} tries` : ''}
        {problem === undefined ? '' : `. ${problem}`}
      </Text>
    </li>
  );
}

const waitTexts: Readonly<Record<NonNullable<AutomaticRenewal['waitsFor']>, string | undefined>> = {
  time: undefined,
  retry: undefined,
  pause: 'Waiting for the pause to end',
  turn: 'Queued at the authority',
};

const waitText = ({ waitsFor, at }: AutomaticRenewal): string =>
  (waitsFor && waitTexts[waitsFor]) ?? `Scheduled for ${formatDateTime(at)}`;

function RenewalTarget({ of: { entityUuid, locationUuid, locationName } }: { readonly of: AutomaticRenewal }) {
  if (entityUuid === undefined || locationUuid === undefined) return 'with its key in a token';
  return (
    <>
      in <TextLink to={paths.locations.of(entityUuid).one(locationUuid)}>{locationName ?? locationUuid}</TextLink>
    </>
  );
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 3_650;

function RenewalDialog({
  profile: { uuid, name },
  settings,
  onClose,
}: RenewalProps & { readonly settings: AutomaticRenewalSettings; readonly onClose: () => void }) {
  const [automatic, setAutomatic] = useState(settings.automatic);
  const [tokenKeys, setTokenKeys] = useState(settings.tokenKeys ?? false);
  const [paused, setPaused] = useState(settings.paused ?? false);
  const [window, setWindow] = useState(settings.daysBefore === undefined ? 'share' : 'days');
  const [days, setDays] = useState<number | string>(settings.daysBefore ?? DEFAULT_DAYS);
  const queries = useQueryClient();
  const byDays = automatic && window === 'days';
  const save = async (): Promise<void> => {
    const body = {
      automatic,
      tokenKeys: automatic && tokenKeys,
      paused: automatic && paused,
      ...(byDays ? { daysBefore: Number(days) } : {}),
    };
    await api.automaticRenewal.setAutomaticRenewal({ params: { raProfileUuid: uuid }, body });
    await queries.invalidateQueries({ queryKey: ['raProfiles'] });
    notify.done(
      automatic
        ? `Certificates under ${name} are renewed automatically.`
        : `Certificates under ${name} are no longer renewed automatically.`,
    );
  };
  return (
    <FormDialog
      title={`Renewal of certificates under ${name}`}
      submitLabel="Save"
      onClose={onClose}
      isReady={!byDays || (Number(days) >= 1 && Number(days) <= MAX_DAYS)}
      submit={save}
    >
      <Switch
        label="Renew certificates in locations automatically"
        description="For locations that generate their own keys. Clients that renew certificates themselves, such as ACME clients, are not affected."
        checked={automatic}
        onChange={(event) => setAutomatic(event.currentTarget.checked)}
      />
      {automatic && <RenewalOptions {...{ tokenKeys, setTokenKeys, paused, setPaused }} />}
      {automatic && (
        <Radio.Group value={window} onChange={setWindow} label="Renewal window">
          <Stack gap="xs" mt="xs">
            <Radio value="share" label="Last third of the validity period" />
            <Radio value="days" label="Number of days before expiry" />
          </Stack>
        </Radio.Group>
      )}
      {byDays && (
        <NumberInput
          label="Days before expiry"
          description="Never earlier than halfway through the validity period."
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
      )}
    </FormDialog>
  );
}

interface RenewalOptionsProps {
  readonly tokenKeys: boolean;
  readonly setTokenKeys: (tokenKeys: boolean) => void;
  readonly paused: boolean;
  readonly setPaused: (paused: boolean) => void;
}

function RenewalOptions({ tokenKeys, setTokenKeys, paused, setPaused }: RenewalOptionsProps) {
  return (
    <>
      <Switch
        label="Also renew certificates whose key is in a token"
        description="Renewals keep the key. Systems that use the certificate must fetch the new one."
        checked={tokenKeys}
        onChange={(event) => setTokenKeys(event.currentTarget.checked)}
      />
      <Switch
        label="Pause automatic renewal"
        description="Planned renewals wait until the pause ends."
        checked={paused}
        onChange={(event) => setPaused(event.currentTarget.checked)}
      />
    </>
  );
}
