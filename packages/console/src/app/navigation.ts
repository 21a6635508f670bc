// The menu pages, in order. A page is shown to users who can list its objects and have the permissions that it needs.
import type { Resource } from '@signetry/contract';
import {
  IconAdjustments,
  IconAntenna,
  IconBell,
  IconBuildingFortress,
  IconCalendarTime,
  IconCertificate,
  IconChartHistogram,
  IconChecklist,
  IconCpu,
  IconDeviceDesktop,
  IconFilePlus,
  IconFileSearch,
  IconFingerprint,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconListNumbers,
  IconMailForward,
  IconMapPin,
  IconPlugConnected,
  IconRobot,
  IconRouter,
  IconServer,
  IconRulerMeasure,
  IconSend,
  IconSettings,
  IconTags,
  IconBolt,
  IconShieldLock,
  IconTemplate,
  IconUser,
  IconUsersGroup,
  IconWorldSearch,
  IconUserCheck,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { paths } from '../kit/paths.ts';
import type { Right } from '../kit/rights.ts';
import { WaitingCount } from './waiting-count.tsx';

export interface MenuPage {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  readonly resource?: Resource;
  /** Permission required in addition to the permission to list the objects. */
  readonly needs?: Right;
  /** Also shown to users who have been asked for a decision, now or in the past, regardless of what they can list. */
  readonly forDeciders?: boolean;
  /** Shown next to the label. */
  readonly badge?: ComponentType;
}

export interface MenuGroup {
  readonly title: string | undefined;
  readonly pages: readonly MenuPage[];
}

export const menu: readonly MenuGroup[] = [
  {
    title: undefined,
    pages: [
      { to: paths.start, label: 'Overview', icon: IconHome },
      { to: paths.notifications.list, label: 'Inbox', icon: IconInbox },
    ],
  },
  {
    title: 'Certificates',
    pages: [
      { to: paths.certificates.list, label: 'Inventory', icon: IconCertificate, resource: 'certificates' },
      { to: paths.discoveries.list, label: 'Discoveries', icon: IconWorldSearch, resource: 'discoveries' },
      { to: paths.scheduledJobs.list, label: 'Scheduled jobs', icon: IconCalendarTime, resource: 'jobs' },
      { to: paths.automation.list, label: 'Automation', icon: IconBolt, resource: 'triggers' },
      { to: paths.compliance.list, label: 'Compliance', icon: IconRulerMeasure, resource: 'complianceProfiles' },
      { to: paths.insights, label: 'Insights', icon: IconChartHistogram, resource: 'certificates' },
      { to: paths.issue, label: 'Issue', icon: IconFilePlus, resource: 'raProfiles', needs: ['certificates', 'issue'] },
      {
        to: paths.approvals.list,
        label: 'Approvals',
        icon: IconChecklist,
        resource: 'approvals',
        forDeciders: true,
        badge: WaitingCount,
      },
    ],
  },
  {
    title: 'Issuing',
    pages: [
      { to: paths.authorities.list, label: 'Authorities', icon: IconBuildingFortress, resource: 'authorities' },
      { to: paths.raProfiles.list, label: 'RA profiles', icon: IconTemplate, resource: 'raProfiles' },
      { to: paths.acme.list, label: 'ACME', icon: IconRobot, resource: 'acmeProfiles' },
      { to: paths.cmp.list, label: 'CMP', icon: IconAntenna, resource: 'cmpProfiles' },
      { to: paths.scep.list, label: 'SCEP', icon: IconRouter, resource: 'scepProfiles' },
      { to: paths.est.list, label: 'EST', icon: IconDeviceDesktop, resource: 'raProfiles' },
      { to: paths.enrollments.list, label: 'Enrollment requests', icon: IconHistory, resource: 'raProfiles' },
      {
        to: paths.approvalProfiles.list,
        label: 'Approval profiles',
        icon: IconUserCheck,
        resource: 'approvalProfiles',
      },
    ],
  },
  {
    title: 'Keys',
    pages: [
      { to: paths.keys.list, label: 'Keys', icon: IconFingerprint, resource: 'keys' },
      { to: paths.tokens.list, label: 'Tokens', icon: IconCpu, resource: 'tokens' },
      { to: paths.tokenProfiles.list, label: 'Token profiles', icon: IconAdjustments, resource: 'tokenProfiles' },
    ],
  },
  {
    title: 'Deployment',
    pages: [
      { to: paths.entities.list, label: 'Targets', icon: IconServer, resource: 'entities' },
      { to: paths.locations.list, label: 'Locations', icon: IconMapPin, resource: 'locations' },
    ],
  },
  {
    title: 'Access',
    pages: [
      { to: paths.users.list, label: 'Users', icon: IconUser, resource: 'users' },
      { to: paths.roles.list, label: 'Roles', icon: IconShieldLock, resource: 'roles' },
      { to: paths.groups.list, label: 'Groups', icon: IconUsersGroup, resource: 'groups' },
    ],
  },
  {
    title: 'Notifications',
    pages: [
      {
        to: paths.notificationInstances.list,
        label: 'Notification providers',
        icon: IconSend,
        resource: 'notificationInstances',
      },
      {
        to: paths.notificationProfiles.list,
        label: 'Notification profiles',
        icon: IconBell,
        resource: 'notificationProfiles',
      },
      {
        to: paths.notificationDeliveries.list,
        label: 'Deliveries',
        icon: IconMailForward,
        needs: ['notificationInstances', 'detail'],
      },
    ],
  },
  {
    title: 'Platform',
    pages: [
      { to: paths.connectors.list, label: 'Connectors', icon: IconPlugConnected, resource: 'connectors' },
      { to: paths.credentials.list, label: 'Credentials', icon: IconKey, resource: 'credentials' },
      { to: paths.customAttributes.list, label: 'Custom attributes', icon: IconTags, resource: 'attributes' },
      { to: paths.globalMetadata.list, label: 'Global metadata', icon: IconWorld, resource: 'attributes' },
      { to: paths.oids.list, label: 'Object identifiers', icon: IconListNumbers, resource: 'oids' },
      { to: paths.audit, label: 'Audit log', icon: IconFileSearch, needs: ['auditLogs', 'list'] },
      { to: paths.settings, label: 'Settings', icon: IconSettings, needs: ['settings', 'detail'] },
    ],
  },
];
