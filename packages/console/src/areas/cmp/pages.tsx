// CMP profile pages.
import { useQuery } from '@tanstack/react-query';
import { useUuid } from '../../kit/routes.ts';
import { cmpProfileQuery } from '../../queries/protocols.ts';
import { ProfileListPage } from '../protocols/profile-list-page.tsx';
import { ProfilePage } from '../protocols/profile-page.tsx';
import { cmp } from '../protocols/protocol.ts';
import { EditProfilePage, NewProfilePage } from '../protocols/settings/pages.tsx';
import { cmpClients, cmpSecretStep } from './clients.ts';
import { CmpForm } from './cmp-form.tsx';
import { CmpSettings } from './cmp-settings.tsx';

export const CmpListPage = () => <ProfileListPage protocol={cmp} />;

export function CmpProfilePage() {
  return (
    <ProfilePage
      protocol={cmp}
      query={useQuery(cmpProfileQuery(useUuid()))}
      clients={cmpClients}
      secretStep={cmpSecretStep}
      takesOneTime={({ oneTimeSecrets }) => oneTimeSecrets !== false}
      settings={(profile) => <CmpSettings profile={profile} />}
    />
  );
}

export function CmpNewPage() {
  return (
    <NewProfilePage protocol={cmp}>
      <CmpForm />
    </NewProfilePage>
  );
}

export function CmpEditPage() {
  return (
    <EditProfilePage protocol={cmp} query={useQuery(cmpProfileQuery(useUuid()))}>
      {(profile) => <CmpForm profile={profile} />}
    </EditProfilePage>
  );
}
