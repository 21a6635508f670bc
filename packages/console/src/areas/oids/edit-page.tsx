// Pages for creating and editing an object identifier.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { oidQuery } from '../../queries/oids.ts';
import { Page } from '../../ui/page.tsx';
import { OidForm } from './oid-form.tsx';

export function NewOidPage() {
  return (
    <Page
      title="New object identifier"
      description="The name is shown wherever the identifier occurs in certificates."
      parent={{ to: paths.oids.list, label: 'Object identifiers' }}
    >
      <OidForm />
    </Page>
  );
}

export function EditOidPage() {
  return (
    <EditPage query={useQuery(oidQuery(useUuid()))} what="the object identifier" paths={paths.oids}>
      {(entry) => <OidForm entry={entry} />}
    </EditPage>
  );
}
