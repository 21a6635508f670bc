// EST profile pages.
import { useQuery } from '@tanstack/react-query';
import { useUuid } from '../../kit/routes.ts';
import { estProfileQuery } from '../../queries/protocols.ts';
import { ProfileListPage } from '../protocols/profile-list-page.tsx';
import { ProfilePage } from '../protocols/profile-page.tsx';
import { est } from '../protocols/protocol.ts';
import { EditProfilePage, NewProfilePage } from '../protocols/settings/pages.tsx';
import { estClients, estSecretStep } from './clients.ts';
import { EstForm } from './est-form.tsx';
import { EstSettings } from './est-settings.tsx';

export const EstListPage = () => <ProfileListPage protocol={est} />;

export function EstProfilePage() {
  return (
    <ProfilePage
      protocol={est}
      query={useQuery(estProfileQuery(useUuid()))}
      clients={() => estClients}
      secretStep={estSecretStep}
      takesOneTime={({ oneTimePasswords }) => oneTimePasswords}
      settings={(profile) => <EstSettings profile={profile} />}
    />
  );
}

export function EstNewPage() {
  return (
    <NewProfilePage protocol={est}>
      <EstForm />
    </NewProfilePage>
  );
}

export function EstEditPage() {
  return (
    <EditProfilePage protocol={est} query={useQuery(estProfileQuery(useUuid()))}>
      {(profile) => <EstForm profile={profile} />}
    </EditProfilePage>
  );
}
