// Obstacles to a shorter validity period: certificates without automated renewal, and approvals that take too long.
import { Text } from '@mantine/core';
import type { SimulatedApproval, SimulatedReason, RenewalSimulation } from '@signetry/contract';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { Table } from '../../ui/table.tsx';
import { reasonTexts, verdictTexts } from './renewal-texts.ts';

export function UnreadyPanels({ simulation }: { readonly simulation: RenewalSimulation }) {
  const { unattended, approvals } = simulation;
  return (
    <>
      <Panel title="No automation available" flush={unattended.length > 0}>
        {unattended.length === 0 ? (
          <Text size="sm">Every active certificate is renewed by an ACME client or the platform.</Text>
        ) : (
          <Table
            label="Certificates with no automation available"
            rows={unattended.toSorted((one, other) => other.renewals - one.renewals)}
            columns={[
              { key: 'reason', title: 'Reason', cell: ({ reason }: SimulatedReason) => reasonTexts[reason] },
              {
                key: 'certificates',
                title: 'Certificates',
                align: 'right',
                titled: true,
                cell: ({ certificates }) => formatCount(certificates),
              },
              {
                key: 'renewals',
                title: 'Renewals per year',
                align: 'right',
                titled: true,
                cell: ({ renewals }) => formatCount(renewals),
              },
            ]}
            keyOf={({ reason }) => reason}
            nameOf={({ reason }) => reasonTexts[reason]}
          />
        )}
      </Panel>
      {approvals.length > 0 && <Approvals approvals={approvals} />}
    </>
  );
}

const hours = (count: number): string =>
  count >= 48 ? `${formatCount(Math.round(count / 24))} days` : `${formatCount(Math.round(count * 10) / 10)} hours`;

function Approvals({ approvals }: { readonly approvals: readonly SimulatedApproval[] }) {
  return (
    <Panel title="Approval times" flush>
      <Table
        label="Renewal approvals"
        rows={approvals}
        columns={[
          {
            key: 'profile',
            title: 'RA profile',
            cell: ({ raProfileUuid, raProfileName }: SimulatedApproval) => (
              <ObjectLink to={paths.raProfiles.one(raProfileUuid)} name={raProfileName} />
            ),
          },
          { key: 'verdict', title: 'Approval', cell: ({ verdict }) => <Verdict of={verdict} /> },
          { key: 'window', title: 'Renewal window', titled: true, cell: ({ windowHours }) => hours(windowHours) },
          {
            key: 'measured',
            title: 'Approval time (90th percentile)',
            titled: true,
            cell: ({ measured }) => (measured ? hours(measured.slowHours) : 'None in the last year'),
          },
          { key: 'expiry', title: 'Time limit', minor: true, cell: ({ expiryHours }) => hours(expiryHours) },
        ]}
        keyOf={({ raProfileUuid }) => raProfileUuid}
        nameOf={({ raProfileName }) => raProfileName}
      />
    </Panel>
  );
}

function Verdict({ of }: { readonly of: SimulatedApproval['verdict'] }) {
  const [tone, words] = verdictTexts[of];
  return <State tone={tone}>{words}</State>;
}
