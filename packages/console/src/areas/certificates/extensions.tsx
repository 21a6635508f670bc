// The extensions of a certificate, read in the browser from the certificate itself.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Facts } from '../../ui/facts.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';

const extensionsQuery = (content: string) =>
  queryOptions({
    queryKey: ['extensions', content],
    queryFn: async () => (await import('./read-extensions.ts')).readExtensionFacts(content),
    staleTime: Infinity,
  });

export function Extensions({ content }: { readonly content: string }) {
  const { data, error, refetch } = useQuery(extensionsQuery(content));
  if (data?.length === 0) return null;
  return (
    <Panel title="Extensions">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data ? (
        <Facts facts={data} />
      ) : (
        <Loading what="the extensions" />
      )}
    </Panel>
  );
}
