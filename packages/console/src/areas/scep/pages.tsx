// SCEP profile pages.
import { useQuery } from '@tanstack/react-query';
import { useUuid } from '../../kit/routes.ts';
import { scepProfileQuery } from '../../queries/protocols.ts';
import { ProfileListPage } from '../protocols/profile-list-page.tsx';
import { ProfilePage } from '../protocols/profile-page.tsx';
import { scep } from '../protocols/protocol.ts';
import { EditProfilePage, NewProfilePage } from '../protocols/settings/pages.tsx';
import { scepClients, scepSecretStep } from './clients.ts';
import { ScepForm } from './scep-form.tsx';
import { ScepSettings } from './scep-settings.tsx';

export const ScepListPage = () => <ProfileListPage protocol={scep} />;

export function ScepProfilePage() {
  return (
    <ProfilePage
      protocol={scep}
      query={useQuery(scepProfileQuery(useUuid()))}
      clients={() => scepClients}
      secretStep={scepSecretStep}
      takesOneTime={({ oneTimeChallenges }) => oneTimeChallenges === true}
      settings={(profile) => <ScepSettings profile={profile} />}
    />
  );
}

export function ScepNewPage() {
  return (
    <NewProfilePage protocol={scep}>
      <ScepForm />
    </NewProfilePage>
  );
}

export function ScepEditPage() {
  return (
    <EditProfilePage protocol={scep} query={useQuery(scepProfileQuery(useUuid()))}>
      {(profile) => <ScepForm profile={profile} />}
    </EditProfilePage>
  );
}
