// Two certificates side by side, with their differences marked.
import { Switch, Text } from '@mantine/core';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatCount, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { useNewSearch } from '../../kit/use-list-search.ts';
import { certificateQuery } from '../../queries/certificates.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import classes from './compare.module.css';
import type { CompareSearch } from './compare-search.ts';
import { compare, type ComparedCertificate, type ComparedLine } from './comparison.ts';
import type { CertificateDetail } from './shapes.ts';

export function ComparePage() {
  const { one, other }: CompareSearch = useSearch({ strict: false });
  return (
    <Page
      title="Compare certificates"
      description="Field-by-field comparison of two certificates."
      parent={{ to: paths.certificates.list, label: 'Inventory' }}
      wide
    >
      {one === undefined || other === undefined ? (
        <Panel>
          <Empty title="Choose two certificates">Select two certificates in the inventory, then choose Compare.</Empty>
        </Panel>
      ) : (
        <QueryView of={useComparedCertificates(one, other)} what="the certificates" inPanel>
          {([first, second]) => <Comparison one={first} other={second} />}
        </QueryView>
      )}
    </Page>
  );
}

/** Fetches a certificate, and decodes its extensions in the browser. */
const comparedQuery = ({ uuid }: { readonly uuid: string }) =>
  queryOptions({
    queryKey: ['certificates', 'compared', uuid],
    queryFn: async ({ client }): Promise<ComparedCertificate> => {
      const certificate = await client.fetchQuery(certificateQuery(uuid));
      return { certificate, extensions: await extensionsOf(certificate) };
    },
  });

async function extensionsOf({ certificateContent }: CertificateDetail): Promise<ComparedCertificate['extensions']> {
  if (certificateContent === undefined) return [];
  const { readExtensionLines } = await import('./compared-extensions.ts');
  try {
    return readExtensionLines(certificateContent);
  } catch {
    // If the extensions cannot be decoded, only the platform's data is compared.
    return [];
  }
}

const useComparedCertificates = (
  one: string,
  other: string,
): QueryLike<readonly [ComparedCertificate, ComparedCertificate]> =>
  useQueries({
    queries: [comparedQuery({ uuid: one }), comparedQuery({ uuid: other })],
    combine: ([first, second]) => ({
      data: first.data && second.data ? [first.data, second.data] : undefined,
      error: first.error ?? second.error,
      refetch: () => Promise.all([first.refetch(), second.refetch()]),
    }),
  });

function Comparison({ one, other }: { readonly one: ComparedCertificate; readonly other: ComparedCertificate }) {
  const search: CompareSearch = useSearch({ strict: false });
  const change = useNewSearch<CompareSearch>();
  const lines = compare(one, other);
  const differences = lines.filter(({ differs }) => differs);
  const { onlyDifferences = false, ...pair } = search;
  return (
    <Panel
      title={`${formatCount(differences.length)} of ${formatCount(lines.length)} fields differ`}
      actions={
        <Switch
          label="Show only differences"
          checked={onlyDifferences}
          onChange={({ currentTarget: { checked } }) =>
            change({ ...pair, ...(checked ? { onlyDifferences: true } : {}) }, { replace: true })
          }
        />
      }
      flush
    >
      <table className={classes.comparison} aria-label="Comparison">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {[one, other].map(({ certificate }, place) => (
              // oxlint-disable-next-line no-array-index-key -- a certificate may be compared with itself
              <th scope="col" key={place}>
                <Link to={paths.certificates.one(certificate.uuid)}>{titleOf(certificate)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(onlyDifferences ? differences : lines).map((line) => (
            <Line key={line.name} line={line} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Line({ line: { name, one, other, differs, code } }: { readonly line: ComparedLine }) {
  return (
    <tr data-differs={differs || undefined}>
      <th scope="row">
        {name} {differs && <State tone="warn">Different</State>}
      </th>
      <Value text={one} code={code} />
      <Value text={other} code={code} />
    </tr>
  );
}

const Value = ({ text, code }: { readonly text: string; readonly code: boolean }) => (
  <td data-code={code || undefined}>
    {text === '' ? (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    ) : (
      text
    )}
  </td>
);
