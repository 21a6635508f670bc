// What every client needs: the directory URL, and whether it can be used.
import { ActionButton } from '../../kit/actions.tsx';
import { AddressStrip } from '../../ui/address-strip.tsx';
import { chooseRaProfile } from './profile-actions.tsx';
import { verdictOf } from './profile-state.tsx';
import type { Profile } from './shapes.ts';

export function Directory({ profile }: { readonly profile: Profile }) {
  return (
    <AddressStrip
      label="Directory URL"
      url={profile.directoryUrl}
      none="None: no RA profile is chosen"
      remedy={<ActionButton action={chooseRaProfile(profile.uuid)} />}
      why={verdictOf(profile).why}
    />
  );
}
