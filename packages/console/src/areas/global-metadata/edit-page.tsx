// New global metadata, and editing it.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { globalMetadataQuery } from '../../queries/global-metadata.ts';
import { Page } from '../../ui/page.tsx';
import { GlobalMetadataForm } from './global-metadata-form.tsx';

export function NewGlobalMetadataPage() {
  return (
    <Page
      title="New global metadata"
      description="What connectors tell under this name and kind of content counts as this."
      parent={{ to: paths.globalMetadata.list, label: 'Global metadata' }}
    >
      <GlobalMetadataForm />
    </Page>
  );
}

export function EditGlobalMetadataPage() {
  return (
    <EditPage query={useQuery(globalMetadataQuery(useUuid()))} what="the global metadata" paths={paths.globalMetadata}>
      {(metadata) => <GlobalMetadataForm metadata={metadata} />}
    </EditPage>
  );
}
