// Panel for a versioned object: shows the version from the URL or the latest one, with a version selector.
import { Select } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Panel } from '../ui/panel.tsx';
import { QueryView } from './query-view.tsx';
import { useNewSearch } from './use-list-search.ts';

export interface VersionPanelProps<Versioned extends { readonly version: number }> {
  readonly title: string;
  readonly latest: Versioned;
  /** Returns the query for a previous version. */
  readonly queryOf: (version: number) => UseQueryOptions<Versioned, Error, Versioned, (string | number)[]>;
  readonly children: (shown: Versioned) => ReactNode;
}

interface VersionSearch {
  readonly version?: number;
}

export function VersionPanel<Versioned extends { readonly version: number }>(props: VersionPanelProps<Versioned>) {
  const { title, latest, queryOf, children } = props;
  const { version = latest.version }: VersionSearch = useSearch({ strict: false });
  const isLatest = version === latest.version;
  const earlier = useQuery({ ...queryOf(version), enabled: !isLatest });
  return (
    <Panel title={title} actions={latest.version > 1 && <VersionSelect version={version} latest={latest.version} />}>
      {isLatest ? (
        children(latest)
      ) : (
        <QueryView of={earlier} what={`version ${version}`}>
          {children}
        </QueryView>
      )}
    </Panel>
  );
}

function VersionSelect({ version, latest }: { readonly version: number; readonly latest: number }) {
  const open = useNewSearch<VersionSearch>();
  const versions = Array.from({ length: latest }, (_, place) => latest - place);
  return (
    <Select
      size="xs"
      w="9rem"
      aria-label="Version"
      allowDeselect={false}
      data={versions.map((each) => ({
        value: String(each),
        label: each === latest ? `Version ${each} (latest)` : `Version ${each}`,
      }))}
      value={String(version)}
      onChange={(value) => open(value === String(latest) ? {} : { version: Number(value) })}
    />
  );
}
