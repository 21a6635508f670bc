// The rooms of the console, in the order of the menu. A room is shown to whoever may list what is in it.
import type { Resource } from '@signetry/contract';
import {
  IconBuildingFortress,
  IconCertificate,
  IconFilePlus,
  IconHome,
  IconPlugConnected,
  IconRobot,
  IconTemplate,
  type Icon,
} from '@tabler/icons-react';
import { paths } from '../paths.ts';

export interface Room {
  readonly to: (typeof paths)[
    'start' | 'certificates' | 'issue' | 'authorities' | 'raProfiles' | 'acme' | 'connectors'];
  readonly label: string;
  readonly icon: Icon;
  readonly resource?: Resource;
}

export interface Wing {
  readonly title: string | undefined;
  readonly rooms: readonly Room[];
}

export const wings: readonly Wing[] = [
  { title: undefined, rooms: [{ to: paths.start, label: 'Overview', icon: IconHome }] },
  {
    title: 'Certificates',
    rooms: [
      { to: paths.certificates, label: 'Inventory', icon: IconCertificate, resource: 'certificates' },
      { to: paths.issue, label: 'Issue', icon: IconFilePlus, resource: 'raProfiles' },
    ],
  },
  {
    title: 'Issuing',
    rooms: [
      { to: paths.authorities, label: 'Authorities', icon: IconBuildingFortress, resource: 'authorities' },
      { to: paths.raProfiles, label: 'RA profiles', icon: IconTemplate, resource: 'raProfiles' },
      { to: paths.acme, label: 'ACME', icon: IconRobot, resource: 'acmeProfiles' },
    ],
  },
  {
    title: 'Platform',
    rooms: [{ to: paths.connectors, label: 'Connectors', icon: IconPlugConnected, resource: 'connectors' }],
  },
];
