// The pages of the menu, in order. A page is shown to users who may list its objects and do what it is for.
import type { Resource } from '@signetry/contract';
import {
  IconBuildingFortress,
  IconCertificate,
  IconFilePlus,
  IconHome,
  IconKey,
  IconPlugConnected,
  IconRobot,
  IconTags,
  IconTemplate,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import { paths } from '../kit/paths.ts';
import type { Right } from '../kit/rights.ts';

export interface MenuPage {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  readonly resource?: Resource;
  /** A right besides listing its objects. */
  readonly needs?: Right;
}

export interface MenuGroup {
  readonly title: string | undefined;
  readonly pages: readonly MenuPage[];
}

export const menu: readonly MenuGroup[] = [
  { title: undefined, pages: [{ to: paths.start, label: 'Overview', icon: IconHome }] },
  {
    title: 'Certificates',
    pages: [
      { to: paths.certificates.list, label: 'Inventory', icon: IconCertificate, resource: 'certificates' },
      { to: paths.issue, label: 'Issue', icon: IconFilePlus, resource: 'raProfiles', needs: ['certificates', 'issue'] },
    ],
  },
  {
    title: 'Issuing',
    pages: [
      { to: paths.authorities.list, label: 'Authorities', icon: IconBuildingFortress, resource: 'authorities' },
      { to: paths.raProfiles.list, label: 'RA profiles', icon: IconTemplate, resource: 'raProfiles' },
      { to: paths.acme.list, label: 'ACME', icon: IconRobot, resource: 'acmeProfiles' },
    ],
  },
  {
    title: 'Platform',
    pages: [
      { to: paths.connectors.list, label: 'Connectors', icon: IconPlugConnected, resource: 'connectors' },
      { to: paths.credentials.list, label: 'Credentials', icon: IconKey, resource: 'credentials' },
      { to: paths.customAttributes.list, label: 'Custom attributes', icon: IconTags, resource: 'attributes' },
      { to: paths.globalMetadata.list, label: 'Global metadata', icon: IconWorld, resource: 'attributes' },
    ],
  },
];
