// What complies and what does not, each number with its list, and the checks of many objects.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComplianceStatus } from '@signetry/contract';
import { useMayList } from '../../api/session.ts';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { complianceProfileListQuery } from '../../queries/compliance.ts';
import { statisticsQuery } from '../../queries/statistics.ts';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { listOf, withCompliance } from '../certificates/filters.ts';
import { complianceWords } from '../compliance-results/words.ts';
import { CountLink } from '../insights/count-link.tsx';
import { Runs } from './runs.tsx';

export function CompliancePage() {
  const profiles = useQuery(complianceProfileListQuery);
  const applied = (profiles.data ?? []).filter(({ associations }) => associations > 0).map(({ uuid }) => uuid);
  return (
    <Page
      title="Compliance"
      description="Rules say what certificates, their requests and keys have to be like. A profile holds rules together and says to whose certificates and keys they apply."
      actions={
        <Actions
          actions={[
            { label: 'Profiles', to: paths.compliance.profiles.list },
            { label: 'Your rules', to: paths.compliance.rules.list },
            applied.length > 0 && {
              label: 'Check everything',
              isPrimary: true,
              needs: ['complianceProfiles', 'checkCompliance'],
              run: () => api.compliance.checkComplianceV2({ body: applied, query: {} }),
              done: 'Everything that profiles apply to is being checked.',
              refresh: ['complianceRuns'],
            },
          ]}
        />
      }
    >
      <Stack gap="lg">
        <Certificates />
        <Runs empty={<NoChecks hasApplied={applied.length > 0} />} />
      </Stack>
    </Page>
  );
}

/** The worst first. */
const STATUSES: readonly ComplianceStatus[] = ['nok', 'failed', 'ok', 'na', 'not_checked'];

function Certificates() {
  const maySee = useMayList()('certificates');
  const statistics = useQuery({ ...statisticsQuery(), enabled: maySee });
  if (!maySee) return null;
  return (
    <Panel title="Certificates">
      <Reading of={statistics} what="the figures">
        {({ certificateStatByComplianceStatus: counts = {} }) => (
          <Facts
            facts={STATUSES.map((status) => ({
              name: complianceWords[status],
              value: (
                <CountLink
                  count={counts[status] ?? 0}
                  search={listOf([withCompliance(status)])}
                  what={complianceWords[status].toLowerCase()}
                />
              ),
            }))}
          />
        )}
      </Reading>
    </Panel>
  );
}

function NoChecks({ hasApplied }: { readonly hasApplied: boolean }) {
  return (
    <Empty title="No checks in the last week">
      {hasApplied
        ? 'Check everything, a profile, or a single certificate or key on its page.'
        : 'Create a profile, choose its rules, and say to which RA profiles and token profiles it applies.'}
    </Empty>
  );
}
