// Pages for adding and editing global metadata.
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
      description="Metadata that connectors return with this name and content type is shown under this definition."
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
