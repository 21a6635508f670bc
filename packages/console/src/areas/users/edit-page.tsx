// A new user, and editing one.
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
      description="A person or a program. Once the user is there, invite them to add a passkey."
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
            <Empty title="This user cannot be changed">It belongs to the platform, which acts under this name.</Empty>
          </Panel>
        ) : (
          <UserForm user={user} />
        )
      }
    </EditPage>
  );
}
