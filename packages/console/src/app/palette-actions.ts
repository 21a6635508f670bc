// Actions that the command palette offers besides pages and objects.
import { signOut } from '../api/session.ts';
import { paths } from '../kit/paths.ts';
import type { Right } from '../kit/rights.ts';
import { openKeys } from './key-help.tsx';

export interface PaletteAction {
  readonly label: string;
  readonly needs?: Right;
  readonly to?: string;
  readonly run?: () => void;
}

export const paletteActions: readonly PaletteAction[] = [
  { label: 'Issue a certificate', needs: ['certificates', 'issue'], to: paths.issue },
  { label: 'New authority', needs: ['authorities', 'create'], to: paths.authorities.new },
  { label: 'New RA profile', needs: ['raProfiles', 'create'], to: paths.raProfiles.new },
  { label: 'New ACME profile', needs: ['acmeProfiles', 'create'], to: paths.acme.new },
  { label: 'New connector', needs: ['connectors', 'create'], to: paths.connectors.new },
  { label: 'New credential', needs: ['credentials', 'create'], to: paths.credentials.new },
  { label: 'New custom attribute', needs: ['attributes', 'create'], to: paths.customAttributes.new },
  { label: 'Show the keyboard shortcuts', run: openKeys },
  { label: 'Sign out', run: () => void signOut() },
];
