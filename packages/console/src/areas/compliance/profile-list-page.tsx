// All compliance profiles.
import type { ComplianceProfileListDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../format/names.ts';
import { nameColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { complianceProfileListQuery } from '../../queries/compliance.ts';

const countColumn = (
  key: string,
  title: string,
  countOf: (profile: ComplianceProfileListDto) => number,
): FullListColumn<ComplianceProfileListDto> => ({
  key,
  title,
  minor: true,
  by: countOf,
  cell: (profile) => formatCount(countOf(profile)),
});

const columns: readonly FullListColumn<ComplianceProfileListDto>[] = [
  nameColumn(paths.compliance.profiles, ({ description }) => description),
  countColumn('own', 'Your rules', ({ internalRulesCount }) => internalRulesCount),
  countColumn('groups', 'Rule groups', ({ providerGroupsCount }) => providerGroupsCount),
  countColumn('rules', 'Individual rules', ({ providerRulesCount }) => providerRulesCount),
  countColumn('applied', 'Assigned to', ({ associations }) => associations),
];

export function ComplianceProfileListPage() {
  return (
    <ObjectListPage
      title="Compliance profiles"
      term="compliance-profile"
      description="A compliance profile groups rules. Assign it to RA profiles to check certificates, and to token profiles to check keys."
      paths={paths.compliance.profiles}
      create={{ label: 'New compliance profile', needs: ['complianceProfiles', 'create'] }}
      query={useQuery(complianceProfileListQuery)}
      what="compliance profiles"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No compliance profiles yet',
        text: 'Create one to choose rules and assign them to RA profiles and token profiles.',
      }}
    />
  );
}
