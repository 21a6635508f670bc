// Columns of location lists.
import { Text } from '@mantine/core';
import { shownName } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import type { ListedLocation } from '../../queries/entities.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { EnabledState } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { LocationState } from './state.tsx';

const name: Column<ListedLocation> = {
  key: 'name',
  title: 'Name',
  cell: ({ uuid, name: text, description, entityInstanceUuid }) => (
    <ObjectLink to={paths.locations.of(entityInstanceUuid).one(uuid)} name={text} detail={description} />
  ),
};

const certificates: Column<ListedLocation> = {
  key: 'certificates',
  title: 'Certificates',
  titled: true,
  cell: ({ certificates: held }) => <CertificateSummary held={held} />,
};

const state: Column<ListedLocation> = {
  key: 'state',
  title: 'State',
  cell: ({ enabled, state: of }) => (
    <>
      {of && <LocationState of={of} />}
      {!enabled && (
        <div>
          <EnabledState enabled={enabled} />
        </div>
      )}
    </>
  ),
};

const entity: Column<ListedLocation> = {
  key: 'entity',
  title: 'Target',
  minor: true,
  cell: ({ entityInstanceUuid, entityInstanceName }) => (
    <TextLink to={paths.entities.one(entityInstanceUuid)}>{entityInstanceName}</TextLink>
  ),
};

export const columns: readonly Column<ListedLocation>[] = [name, state, certificates, entity];

/** Columns for the page of an entity. */
export const entityPageColumns: readonly Column<ListedLocation>[] = [name, state, certificates];

/** Shows the name of the first certificate, and the number of additional certificates. */
function CertificateSummary({ held }: { readonly held: ListedLocation['certificates'] }) {
  const [first, ...others] = held;
  if (!first)
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    );
  return (
    <>
      <TextLink to={paths.certificates.one(first.certificateUuid)}>
        {shownName(first.commonName || `Serial number ${first.serialNumber}`)}
      </TextLink>
      {others.length > 0 && ` and ${others.length} more`}
    </>
  );
}
