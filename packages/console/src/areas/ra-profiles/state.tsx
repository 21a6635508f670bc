// Whether certificates are issued under an RA profile, in one word.
import { State } from '../../ui/state.tsx';

export function RaProfileState({ enabled }: { readonly enabled: boolean }) {
  return enabled ? <State tone="good">Enabled</State> : <State tone="none">Disabled</State>;
}
