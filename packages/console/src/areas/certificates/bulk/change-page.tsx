// Page for a single bulk change: its parameters, progress and rejections.
import { Stack } from '@mantine/core';
import type { CertificateChangeDetail } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../../format/dates.ts';
import { formatCount } from '../../../format/names.ts';
import { ActionButton } from '../../../kit/actions.tsx';
import { identifierFact } from '../../../kit/facts.tsx';
import { paths } from '../../../kit/paths.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { useUuid } from '../../../kit/routes.ts';
import { changeQuery } from '../../../queries/certificate-changes.ts';
import { Columns } from '../../../ui/columns.tsx';
import { Facts, type Fact } from '../../../ui/facts.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { State } from '../../../ui/state.tsx';
import { Outcome, Rejections, stopAction, ChangeProgress } from './progress.tsx';
import { stateOfChange, titleOfChange, describeAssigned, describeChangeSelection } from './texts.ts';

export function CertificateChangePage() {
  return (
    <QueryView of={useQuery(changeQuery(useUuid()))} what="the change">
      {(change) => {
        const [tone, words] = stateOfChange(change);
        return (
          <Page
            title={titleOfChange(change)}
            mark={<State tone={tone}>{words}</State>}
            parent={{ to: paths.certificates.changes, label: 'Bulk changes' }}
            actions={change.stoppable && <ActionButton action={stopAction(change)} />}
          >
            <Columns
              main={
                <Panel title={change.finishedAt === undefined ? 'Progress' : 'Outcome'}>
                  <Stack>
                    {change.finishedAt === undefined ? <ChangeProgress change={change} /> : <Outcome change={change} />}
                    <Rejections change={change} />
                  </Stack>
                </Panel>
              }
              side={
                <Panel title="Details">
                  <Facts facts={factsOf(change)} />
                </Panel>
              }
            />
          </Page>
        );
      }}
    </QueryView>
  );
}

const factsOf = (change: CertificateChangeDetail): readonly (Fact | undefined)[] => [
  { name: 'Assigned', value: describeAssigned(change.assigned) },
  { name: 'Selection', value: describeChangeSelection(change) },
  { name: 'Number of certificates', value: formatCount(change.total) },
  { name: 'Requested by', value: change.requestedBy },
  { name: 'Started', value: formatDateTime(change.startedAt) },
  { name: 'Finished', value: change.finishedAt && formatDateTime(change.finishedAt) },
  identifierFact(change.uuid),
];
