// Option to replace a certificate with its successor in the locations that hold it.
import { Checkbox } from '@mantine/core';
import type { DeploymentState } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useMayList } from '../../api/session.ts';
import { useMay } from '../../kit/use-may.ts';
import { locationsOfCertificateQuery, type ListedLocation } from '../../queries/entities.ts';
import { locationPathOf } from './location-actions.tsx';
import { requiredLocationRights } from './location-path.ts';

export interface Replacement {
  readonly isWanted: boolean;
  /** Null if no location holds the certificate. */
  readonly field: ReactNode;
}

/** Returns the option. `consequence` is a further note on the successor. */
export function useReplacement(certificateUuid: string, consequence = ''): Replacement {
  const [isWanted, want] = useState(false);
  const may = useMay();
  const mayList = useMayList()('locations');
  const { data = [] } = useQuery({ ...locationsOfCertificateQuery(certificateUuid), enabled: mayList });
  const places = data.filter((location) => isInstalledIn(location, certificateUuid));
  if (places.length === 0) return { isWanted: false, field: null };
  const closed = places.filter((location) => !may(requiredLocationRights(locationPathOf(location), 'update')));
  const field = (
    <Checkbox
      label={`Install the new certificate in ${namesOf(places)}`}
      description={
        closed.length > 0
          ? `You do not have permission to change ${namesOf(closed)}.`
          : `It replaces the current certificate there once it is issued. ${consequence}`.trim()
      }
      disabled={closed.length > 0}
      checked={isWanted}
      onChange={(event) => want(event.currentTarget.checked)}
    />
  );
  return { isWanted: isWanted && closed.length === 0, field };
}

const THERE: ReadonlySet<DeploymentState | undefined> = new Set(['installed', 'served'] as const);

const isInstalledIn = ({ certificates }: ListedLocation, uuid: string): boolean =>
  certificates.some(({ certificateUuid, deployment }) => certificateUuid === uuid && THERE.has(deployment));

const list = new Intl.ListFormat('en');

const namesOf = (places: readonly ListedLocation[]): string =>
  list.format(places.map(({ name, entityInstanceName }) => `${name} (${entityInstanceName})`));
