// Enrollment requests received over CMP, SCEP and EST, and rejected ACME registrations, newest first, with the reason
// for each rejection.
import { Button, Text } from '@mantine/core';
import type { EnrollmentDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMayList } from '../../../api/session.ts';
import { formatDateTime, formatRelative } from '../../../format/dates.ts';
import { PagedList } from '../../../kit/paged-list.tsx';
import { paths } from '../../../kit/paths.ts';
import { useSearchChange } from '../../../kit/use-list-search.ts';
import type { EnrollmentSearch } from '../../../queries/enrollment-search.ts';
import { ENROLLMENTS_PER_PAGE, enrollmentsQuery } from '../../../queries/protocols.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { stateOf } from '../../../ui/state.tsx';
import classes from './enrollments.module.css';
import { Filters } from './filters.tsx';
import { listedProtocols } from './listed-protocols.ts';
import { enrollmentStates, describeKind } from './texts.ts';

export interface EnrollmentListProps {
  /** If present, only requests to this profile are shown. */
  readonly profileUuid?: string;
  /** Search parameters from the URL. */
  readonly search: EnrollmentSearch;
  /** Shown if there are no requests at all. */
  readonly empty: ReactNode;
}

export function EnrollmentList({ profileUuid, search, empty }: EnrollmentListProps) {
  const { page = 1, protocol, raProfile, state, text } = search;
  const enrollments = useQuery(enrollmentsQuery(search, profileUuid));
  const change = useSearchChange<EnrollmentSearch>();
  const isFiltered = [protocol, raProfile, state, text].some((each) => each !== undefined);
  if (enrollments.data?.totalItems === 0 && !isFiltered) return <Panel>{empty}</Panel>;
  const ofProfile = profileUuid !== undefined;
  return (
    <PagedList
      query={enrollments}
      what="requests"
      label="Enrollment requests"
      rowsOf={(answer) => answer.enrollments}
      columns={
        ofProfile ? [request, stateColumn, requester, received] : [request, stateColumn, profile, requester, received]
      }
      nameOf={titleOf}
      page={page}
      size={ENROLLMENTS_PER_PAGE}
      onPage={(next) => change({ page: next })}
      tools={<Filters search={search} ofProfile={ofProfile} onChange={change} />}
      empty={
        <Empty
          title="No matching requests"
          action={
            <Button
              variant="default"
              onClick={() => change({ protocol: undefined, raProfile: undefined, state: undefined, text: undefined })}
            >
              Show all requests
            </Button>
          }
        >
          No request matches the filters. Old requests may have been deleted.
        </Empty>
      }
    />
  );
}

const titleOf = ({ subject }: EnrollmentDto): string => subject || 'Unreadable request';

function Request({ enrollment }: { readonly enrollment: EnrollmentDto }) {
  const { kind, problem, certificateUuid, createdAt } = enrollment;
  const mayList = useMayList();
  const isLinked = certificateUuid !== undefined && mayList('certificates');
  return (
    <div className={classes.request}>
      {isLinked ? (
        <ObjectLink to={paths.certificates.one(certificateUuid)} name={titleOf(enrollment)} />
      ) : (
        <Text size="sm" fw={600}>
          {titleOf(enrollment)}
        </Text>
      )}
      <Text size="xs" c="dimmed" title={kind}>
        {describeKind(kind)}
      </Text>
      {problem !== undefined && (
        <Text size="xs" className={classes.reason}>
          {problem}
        </Text>
      )}
      <div className={classes.when}>{formatRelative(createdAt)}</div>
    </div>
  );
}

const request: Column<EnrollmentDto> = {
  key: 'request',
  title: 'Request',
  cell: (enrollment) => <Request enrollment={enrollment} />,
};

const stateColumn: Column<EnrollmentDto> = {
  key: 'state',
  title: 'State',
  cell: ({ state }) => <EnrollmentStateMark of={state} />,
};

const profile: Column<EnrollmentDto> = {
  key: 'profile',
  title: 'Profile',
  minor: true,
  cell: (enrollment) => <Profile enrollment={enrollment} />,
};

function Profile({ enrollment: { protocol, profileUuid, profileName } }: { readonly enrollment: EnrollmentDto }) {
  const { label, paths: own, resource } = listedProtocols[protocol];
  const mayList = useMayList();
  return (
    <>
      {mayList(resource) ? <TextLink to={own.one(profileUuid)}>{profileName}</TextLink> : profileName}
      <Text size="xs" c="dimmed">
        {label}
      </Text>
    </>
  );
}

const requester: Column<EnrollmentDto> = {
  key: 'requester',
  title: 'Requester',
  minor: true,
  cell: ({ requester: who, transactionId, address }) => (
    <>
      <Text size="sm">{who}</Text>
      {address !== undefined && (
        <Text size="xs" c="dimmed" title={`IP address ${address}`}>
          {address}
        </Text>
      )}
      <span className={classes.transaction} title={`Transaction ${transactionId}`}>
        {truncateId(transactionId)}
      </span>
    </>
  ),
};

/** Clients choose transaction IDs, and some are long. */
const truncateId = (id: string): string => (id.length > 20 ? `${id.slice(0, 18)}…` : id);

const received: Column<EnrollmentDto> = {
  key: 'received',
  title: 'Received',
  minor: true,
  cell: ({ createdAt }) => <span title={formatDateTime(createdAt)}>{formatRelative(createdAt)}</span>,
};

const EnrollmentStateMark = stateOf(enrollmentStates);
