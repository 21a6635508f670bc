// Creates and edits users.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { userQuery } from '../../queries/people.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { UserForm } from './user-form.tsx';

export function NewUserPage() {
  return (
    <Page
      title="New user"
      description="A human or machine user. After creating the user, invite them to add a passkey."
      parent={{ to: paths.users.list, label: 'Users' }}
    >
      <UserForm />
    </Page>
  );
}

export function EditUserPage() {
  return (
    <EditPage query={useQuery(userQuery(useUuid()))} what="the user" paths={paths.users}>
      {(user) =>
        user.systemUser ? (
          <Panel>
            <Empty title="This user cannot be changed">It is a built-in user, under which the platform acts.</Empty>
          </Panel>
        ) : (
          <UserForm user={user} />
        )
      }
    </EditPage>
  );
}
