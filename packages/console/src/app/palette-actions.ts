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
  { label: 'New CMP profile', needs: ['cmpProfiles', 'create'], to: paths.cmp.new },
  { label: 'New SCEP profile', needs: ['scepProfiles', 'create'], to: paths.scep.new },
  { label: 'New EST profile', needs: ['raProfiles', 'update'], to: paths.est.new },
  { label: 'New key', needs: ['keys', 'create'], to: paths.keys.new },
  { label: 'New token', needs: ['tokens', 'create'], to: paths.tokens.new },
  { label: 'New token profile', needs: ['tokenProfiles', 'create'], to: paths.tokenProfiles.new },
  { label: 'New entity', needs: ['entities', 'create'], to: paths.entities.new },
  { label: 'New location', needs: ['locations', 'create'], to: paths.locations.new },
  { label: 'New user', needs: ['users', 'create'], to: paths.users.new },
  { label: 'New role', needs: ['roles', 'create'], to: paths.roles.new },
  { label: 'New group', needs: ['groups', 'create'], to: paths.groups.new },
  { label: 'New approval profile', needs: ['approvalProfiles', 'create'], to: paths.approvalProfiles.new },
  { label: 'New connector', needs: ['connectors', 'create'], to: paths.connectors.new },
  { label: 'New credential', needs: ['credentials', 'create'], to: paths.credentials.new },
  { label: 'New custom attribute', needs: ['attributes', 'create'], to: paths.customAttributes.new },
  { label: 'New object identifier', needs: ['oids', 'create'], to: paths.oids.new },
  { label: 'Your profile', to: paths.profile },
  { label: 'Show the keyboard shortcuts', run: openKeys },
  { label: 'Sign out', run: () => void signOut() },
];
