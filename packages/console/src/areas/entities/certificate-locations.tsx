// A certificate's locations, shown on the certificate's page: its state in each location, and an action to push it to
// another one.
import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayList } from '../../api/session.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { listingQuery } from '../../kit/filters/listing.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths, type LocationPath } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useMay } from '../../kit/use-may.ts';
import {
  deploymentQuery,
  locationListing,
  locationsOfCertificateQuery,
  type ListedLocation,
} from '../../queries/entities.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './held-certificates.module.css';
import { DeploymentState, meaningOf } from './state.tsx';

export interface CertificateLocationsProps {
  readonly certificate: { readonly uuid: string; readonly name: string };
  /** Whether the certificate has been or can still be issued. */
  readonly isPushable: boolean;
}

export function CertificateLocations({ certificate, isPushable }: CertificateLocationsProps) {
  const mayList = useMayList()('locations');
  const query = useQuery({ ...locationsOfCertificateQuery(certificate.uuid), enabled: mayList });
  if (!mayList || (!isPushable && (query.data ?? []).length === 0)) return null;
  return (
    <Panel
      title="Deployments"
      actions={
        isPushable && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Push',
              name: 'Push to a location',
              needs: ['locations', 'update'],
              dialog: ({ opened, onClose }) => opened && <ChooseLocation certificate={certificate} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <QueryView of={query} what="its locations" empty={<Text c="dimmed">Not linked to a location</Text>}>
        {(locations) => (
          <ul className={classes.list}>
            {locations.map((location) => (
              <LocationEntry key={location.uuid} location={location} certificateUuid={certificate.uuid} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

interface LocationEntryProps {
  readonly location: ListedLocation;
  readonly certificateUuid: string;
}

function LocationEntry({ location, certificateUuid }: LocationEntryProps) {
  const { uuid, name, entityInstanceUuid, entityInstanceName } = location;
  const may = useMay();
  const place = { entityUuid: entityInstanceUuid, locationUuid: uuid };
  const sees = may([
    ['locations', 'detail', uuid],
    ['entities', 'detail', entityInstanceUuid],
  ]);
  const { data } = useQuery({ ...deploymentQuery(place), enabled: sees });
  const held = data?.certificates.find((each) => each.certificateUuid === certificateUuid);
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <Text span fw={650} className={classes.name}>
          <TextLink to={paths.locations.of(entityInstanceUuid).one(uuid)}>{name}</TextLink>
        </Text>
        {held && <DeploymentState of={held} />}
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {entityInstanceName}
      </Text>
      {held && (
        <Text size="xs" c="dimmed" className={classes.meaning}>
          {meaningOf(held)}
        </Text>
      )}
    </li>
  );
}

/** Number of options shown. The user can type to find others. */
const SHOWN = 50;

function ChooseLocation({
  certificate,
  onClose,
}: Pick<CertificateLocationsProps, 'certificate'> & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 200);
  const [chosen, choose] = useState<ListedLocation>();
  const isSearch = wanted !== '' && wanted !== (chosen && labelOf(chosen));
  const { data } = useQuery(listingQuery(locationListing, isSearch ? { text: wanted } : {}, SHOWN));
  const usable = data?.locations.filter(({ enabled }) => enabled) ?? [];
  const offered = chosen && !usable.some(({ uuid }) => uuid === chosen.uuid) ? [chosen, ...usable] : usable;
  const navigate = useNavigate();
  return (
    <FormDialog
      title={`Push ${certificate.name}`}
      submitLabel="Continue"
      onClose={onClose}
      isReady={chosen !== undefined}
      submit={() => navigate({ to: paths.locations.push(locationPathOf(chosen), certificate.uuid) })}
    >
      <Select
        label="Location"
        description="Enabled locations, by name. Its settings follow in the next step."
        data-autofocus
        required
        searchable
        placeholder="Choose a location"
        nothingFoundMessage="No enabled location with this name"
        // The platform has already filtered the results.
        filter={({ options }) => options}
        data={offered.map((location) => ({ value: location.uuid, label: labelOf(location) }))}
        value={chosen?.uuid ?? null}
        searchValue={text}
        onSearchChange={setText}
        onChange={(uuid) => choose(offered.find((location) => location.uuid === uuid))}
      />
    </FormDialog>
  );
}

const labelOf = ({ name, entityInstanceName }: ListedLocation): string => `${name} – ${entityInstanceName}`;

const locationPathOf = (location: ListedLocation | undefined): LocationPath => ({
  entityUuid: location?.entityInstanceUuid ?? '',
  locationUuid: location?.uuid ?? '',
});
