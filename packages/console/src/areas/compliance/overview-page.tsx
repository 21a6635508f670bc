// Counts of compliant and non-compliant certificates, linked to lists, and bulk compliance checks.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComplianceStatus } from '@signetry/contract';
import { useMayList } from '../../api/session.ts';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { complianceProfileListQuery } from '../../queries/compliance.ts';
import { statisticsQuery } from '../../queries/statistics.ts';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { listOf, withCompliance } from '../certificates/filters.ts';
import { complianceTexts } from '../compliance-results/texts.ts';
import { CountLink } from '../insights/count-link.tsx';
import { Runs } from './runs.tsx';

export function CompliancePage() {
  const profiles = useQuery(complianceProfileListQuery);
  const applied = (profiles.data ?? []).filter(({ associations }) => associations > 0).map(({ uuid }) => uuid);
  return (
    <Page
      title="Compliance"
      description="Rules define requirements for certificates, requests and keys. A profile groups rules and assigns them to RA and token profiles."
      actions={
        <Actions
          actions={[
            { label: 'Profiles', to: paths.compliance.profiles.list },
            { label: 'Your rules', to: paths.compliance.rules.list },
            applied.length > 0 && {
              label: 'Check all',
              isPrimary: true,
              needs: ['complianceProfiles', 'checkCompliance'],
              run: () => api.compliance.checkComplianceV2({ body: applied, query: {} }),
              done: 'Check started for all objects that compliance profiles apply to.',
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

/** Worst first. */
const STATUSES: readonly ComplianceStatus[] = ['nok', 'failed', 'ok', 'na', 'not_checked'];

function Certificates() {
  const maySee = useMayList()('certificates');
  const statistics = useQuery({ ...statisticsQuery(), enabled: maySee });
  if (!maySee) return null;
  return (
    <Panel title="Certificates">
      <QueryView of={statistics} what="the statistics">
        {({ certificateStatByComplianceStatus: counts = {} }) => (
          <Facts
            facts={STATUSES.map((status) => ({
              name: complianceTexts[status],
              value: (
                <CountLink
                  count={counts[status] ?? 0}
                  search={listOf([withCompliance(status)])}
                  what={complianceTexts[status].toLowerCase()}
                />
              ),
            }))}
          />
        )}
      </QueryView>
    </Panel>
  );
}

function NoChecks({ hasApplied }: { readonly hasApplied: boolean }) {
  return (
    <Empty title="No checks in the last week">
      {hasApplied
        ? 'Check all objects, a profile, or a single certificate or key on its page.'
        : 'Create a profile, choose its rules, and select the RA profiles and token profiles it applies to.'}
    </Empty>
  );
}
