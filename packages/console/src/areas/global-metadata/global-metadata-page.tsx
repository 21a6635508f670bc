// One global metadata definition.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { globalMetadataQuery } from '../../queries/global-metadata.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeContentType } from '../custom-attributes/texts.ts';
import type { GlobalMetadata } from './shapes.ts';

export function GlobalMetadataPage() {
  return (
    <ObjectPage
      query={useQuery(globalMetadataQuery(useUuid()))}
      what="the global metadata"
      parent={{ to: paths.globalMetadata.list, label: 'Global metadata' }}
      description={({ description }) => description}
      actions={(metadata) => <MetadataActions metadata={metadata} />}
      main={({ label, group, visible = true, contentType }) => (
        <Panel title="Definition">
          <Facts
            facts={[
              { name: 'Label', value: label },
              { name: 'Content type', value: describeContentType(contentType) },
              { name: 'Visibility', value: visible ? 'Shown' : 'Hidden' },
              { name: 'Heading', value: group },
            ]}
          />
        </Panel>
      )}
      side={({ uuid }) => (
        <Panel title="Reference">
          <Facts facts={[identifierFact(uuid)]} />
        </Panel>
      )}
    />
  );
}

function MetadataActions({ metadata }: { readonly metadata: GlobalMetadata }) {
  const { uuid, name } = metadata;
  return (
    <Actions
      actions={[
        editAction(paths.globalMetadata.edit(uuid), ['attributes', 'update', uuid]),
        removeAction({
          name,
          needs: ['attributes', 'delete', uuid],
          remove: () => api.globalMetadata.deleteGlobalMetadata({ params: { uuid } }),
          consequence:
            'The metadata is no longer global. Existing values are kept and shown per connector, under the label that the connector defines.',
          list: paths.globalMetadata.list,
          queryKey: globalMetadataQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
