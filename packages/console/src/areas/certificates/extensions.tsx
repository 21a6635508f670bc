// The extensions of a certificate, read in the browser from the certificate itself.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Reading } from '../../kit/reading.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';

const extensionsQuery = (content: string) =>
  queryOptions({
    queryKey: ['extensions', content],
    queryFn: async () => (await import('./read-extensions.ts')).readExtensionFacts(content),
    staleTime: Infinity,
  });

export function Extensions({ content }: { readonly content: string }) {
  const extensions = useQuery(extensionsQuery(content));
  if (extensions.data?.length === 0) return null;
  return (
    <Panel title="Extensions">
      <Reading of={extensions} what="the extensions">
        {(facts) => <Facts facts={facts} />}
      </Reading>
    </Panel>
  );
}
