// The settings of a profile, to be changed.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../../kit/paths.ts';
import { Reading } from '../../../kit/reading.tsx';
import { useUuid } from '../../../kit/routes.ts';
import { profileQuery } from '../../../queries/acme.ts';
import { Page } from '../../../ui/page.tsx';
import { ProfileForm } from './profile-form.tsx';

export function AcmeEditPage() {
  const profile = useQuery(profileQuery(useUuid()));
  return (
    <Reading of={profile} what="the settings">
      {(profile) => (
        <Page
          title={`Settings of ${profile.name}`}
          description="Changes apply to requests from now on."
          parent={{ to: paths.acme.tab(profile.uuid, 'settings'), label: profile.name }}
        >
          <ProfileForm profile={profile} />
        </Page>
      )}
    </Reading>
  );
}
