// Page for a single approval: the request, the decisions so far, and the pending decision.
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { shownName } from '../../format/names.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { approvalQuery } from '../../queries/approvals.ts';
import { certificateQuery } from '../../queries/certificates.ts';
import { Columns } from '../../ui/columns.tsx';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApprovalState } from '../approvals/state.tsx';
import { describeRequest } from '../approvals/texts.ts';
import { Contents } from '../certificates/contents.tsx';
import { ApprovalActions } from './approval-actions.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import type { Approval } from './shapes.ts';
import { Steps } from './steps.tsx';

export function ApprovalPage() {
  return (
    <QueryView of={useQuery(approvalQuery(useUuid()))} what="the approval">
      {(approval) => (
        <Page
          title={describeRequest(approval)}
          mark={<ApprovalState of={approval.status} />}
          parent={{ to: paths.approvals.list, label: 'Approvals' }}
          actions={<ApprovalActions approval={approval} />}
        >
          <Columns
            main={
              <>
                <Request approval={approval} />
                <Panel title="Steps">
                  <Steps approval={approval} />
                </Panel>
              </>
            }
            side={
              <>
                <DecisionPanel approval={approval} />
                <Panel title="Approval">
                  <Facts facts={factsOf(approval)} />
                </Panel>
              </>
            }
          />
        </Page>
      )}
    </QueryView>
  );
}

const factsOf = (approval: Approval): readonly (Fact | undefined)[] => [
  { name: 'Requested by', value: approval.creatorUsername ?? 'a deleted user' },
  { name: 'Requested', value: `${formatDateTime(approval.createdAt)} (${formatRelative(approval.createdAt)})` },
  approval.closedAt === undefined
    ? {
        name: 'Decision due',
        value: `${formatDateTime(approval.expiryAt)} (${formatRelative(approval.expiryAt)})`,
      }
    : { name: 'Closed', value: `${formatDateTime(approval.closedAt)} (${formatRelative(approval.closedAt)})` },
  { name: 'Approval profile', value: <ProfileLink approval={approval} /> },
  identifierFact(approval.uuid),
];

function ProfileLink({ approval }: { readonly approval: Approval }) {
  const { approvalProfileUuid, approvalProfileName, version } = approval;
  const words = `${approvalProfileName}, version ${version}`;
  if (!useMayList()('approvalProfiles')) return words;
  return <TextLink to={paths.approvalProfiles.version(approvalProfileUuid, version)}>{words}</TextLink>;
}

/**
 * Certificate details are shown only if the user's permissions allow it, because approvers do not need access to the
 * inventory.
 */
function Request({ approval }: { readonly approval: Approval }) {
  const { resource, objectUuid, objectName } = approval;
  const isCertificate = resource === 'certificates' && objectName !== undefined;
  const { data: certificate } = useQuery({ ...certificateQuery(objectUuid), enabled: isCertificate, retry: false });
  const name = objectName === undefined ? 'deleted' : shownName(objectName);
  return (
    <>
      <Panel title="Request">
        <Facts
          facts={[
            { name: 'Action', value: actionWords[approval.resourceAction] ?? approval.resourceAction },
            {
              name: 'Certificate',
              value: certificate ? <TextLink to={paths.certificates.one(objectUuid)}>{name}</TextLink> : name,
            },
            { name: 'RA profile', value: certificate?.raProfile?.name },
          ]}
        />
      </Panel>
      {certificate && <Contents certificate={certificate} />}
    </>
  );
}

const actionWords: Partial<Record<Approval['resourceAction'], string>> = {
  issue: 'Issue a new certificate',
  renew: 'Renew a certificate with the same key',
  rekey: 'Rekey a certificate, replacing its key',
  revoke: 'Revoke a certificate',
};
