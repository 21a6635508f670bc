// Edits the user-defined properties of a key: its name, owner, groups and token profile.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { filterRows } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { keyQuery } from '../../queries/keys.ts';
import { tokenProfileListQuery } from '../../queries/tokens.ts';
import { EditKeyForm } from './key-form.tsx';

export function EditKeyPage() {
  const key = useQuery(keyQuery(useUuid()));
  const profiles = filterRows(
    useQuery(tokenProfileListQuery),
    ({ tokenInstanceUuid }) => tokenInstanceUuid === key.data?.tokenInstanceUuid,
  );
  return (
    <EditPage
      query={key}
      what="the key"
      paths={paths.keys}
      description="The key in the token is not changed. Change its usages on its page."
    >
      {(key) => (
        <QueryView of={profiles} what="the token profiles" inPanel>
          {(profiles) => <EditKeyForm keyObject={key} profiles={profiles} />}
        </QueryView>
      )}
    </EditPage>
  );
}
