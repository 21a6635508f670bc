// All routes of the console, one line per area.
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  useParams,
  type RouteComponent,
} from '@tanstack/react-router';
import { Button } from '@mantine/core';
import { acmeRoutes } from '../areas/acme/routes.ts';
import { cmpRoutes } from '../areas/cmp/routes.ts';
import { estRoutes } from '../areas/est/routes.ts';
import { enrollmentRoutes } from '../areas/protocols/routes.ts';
import { scepRoutes } from '../areas/scep/routes.ts';
import { auditRoutes } from '../areas/audit/routes.ts';
import { approvalProfileRoutes } from '../areas/approval-profiles/routes.ts';
import { authorityRoutes } from '../areas/authorities/routes.ts';
import { certificateRoutes } from '../areas/certificates/routes.ts';
import { complianceRoutes } from '../areas/compliance/routes.ts';
import { connectorRoutes } from '../areas/connectors/routes.ts';
import { discoveryRoutes } from '../areas/discoveries/routes.ts';
import { scheduledJobRoutes } from '../areas/scheduled-jobs/routes.ts';
import { credentialRoutes } from '../areas/credentials/routes.ts';
import { customAttributeRoutes } from '../areas/custom-attributes/routes.ts';
import { entityRoutes } from '../areas/entities/routes.ts';
import { endEntityRoutes } from '../areas/end-entities/routes.ts';
import { decidingRoutes } from '../areas/deciding/routes.ts';
import { helpRoutes } from '../areas/help/routes.ts';
import { globalMetadataRoutes } from '../areas/global-metadata/routes.ts';
import { identityProviderRoutes } from '../areas/identity-providers/routes.ts';
import { groupRoutes } from '../areas/groups/routes.ts';
import { insightsRoutes } from '../areas/insights/routes.ts';
import { issueRoutes } from '../areas/issue/routes.ts';
import { notificationDeliveryRoutes } from '../areas/notification-deliveries/routes.ts';
import { notificationInstanceRoutes } from '../areas/notification-instances/routes.ts';
import { notificationProfileRoutes } from '../areas/notification-profiles/routes.ts';
import { notificationRoutes } from '../areas/notifications/routes.ts';
import { oidRoutes } from '../areas/oids/routes.ts';
import { keyRoutes } from '../areas/keys/routes.ts';
import { profileRoutes } from '../areas/profile/routes.ts';
import { raProfileRoutes } from '../areas/ra-profiles/routes.ts';
import { settingsRoutes } from '../areas/settings/routes.ts';
import { roleRoutes } from '../areas/roles/routes.ts';
import { startRoutes } from '../areas/start/routes.ts';
import { tokenProfileRoutes } from '../areas/token-profiles/routes.ts';
import { tokenRoutes } from '../areas/tokens/routes.ts';
import { userRoutes } from '../areas/users/routes.ts';
import { workflowRoutes } from '../areas/workflows/routes.ts';
import type { PageRoute } from '../kit/routes.ts';
import { Empty, Failure, Skeleton } from '../ui/outcomes.tsx';
import { useIsMayPending, useMay } from '../kit/use-may.ts';
import { Gate } from './gate.tsx';

const pages: readonly PageRoute[] = [
  ...startRoutes,
  ...certificateRoutes,
  ...insightsRoutes,
  ...issueRoutes,
  ...decidingRoutes,
  ...helpRoutes,
  ...notificationRoutes,
  ...notificationInstanceRoutes,
  ...notificationProfileRoutes,
  ...notificationDeliveryRoutes,
  ...authorityRoutes,
  ...raProfileRoutes,
  ...endEntityRoutes,
  ...acmeRoutes,
  ...cmpRoutes,
  ...scepRoutes,
  ...estRoutes,
  ...enrollmentRoutes,
  ...entityRoutes,
  ...keyRoutes,
  ...tokenRoutes,
  ...tokenProfileRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...groupRoutes,
  ...profileRoutes,
  ...approvalProfileRoutes,
  ...complianceRoutes,
  ...connectorRoutes,
  ...discoveryRoutes,
  ...scheduledJobRoutes,
  ...workflowRoutes,
  ...credentialRoutes,
  ...customAttributeRoutes,
  ...globalMetadataRoutes,
  ...oidRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...identityProviderRoutes,
];

const root = createRootRoute({ component: Gate, notFoundComponent: NotFound });

export const router = createRouter({
  routeTree: root.addChildren(pages.map(guarded).map((page) => createRoute({ getParentRoute: () => root, ...page }))),
  defaultPreload: 'intent',
  // Search parameters that a page does not read are dropped.
  search: { strict: true },
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

/** Wraps a page that requires a permission: if the user lacks it, the page names the missing permission. */
function guarded({ component: Component, needs, ...page }: PageRoute): PageRoute {
  if (needs === undefined) return { component: Component, ...page };
  const [resource, action] = needs;
  const Guarded: RouteComponent = () => {
    const { uuid } = useParams({ strict: false });
    const may = useMay();
    const isPending = useIsMayPending();
    // Certificate permissions are granted per RA profile, not per certificate UUID in the URL, so the platform decides.
    const right = uuid === undefined || resource === 'certificates' ? needs : ([resource, action, uuid] as const);
    if (may(right)) return <Component />;
    if (isPending) return <Skeleton what="the page" />;
    return (
      <div role="alert">
        <Empty title="Permission denied">{`This page requires the ${action} permission on ${resource}.`}</Empty>
      </div>
    );
  };
  // Lets the router load a page's script before the page is opened.
  Object.assign(Guarded, { preload: Component.preload });
  return { component: Guarded, ...page };
}

/** Shown if no page matches the URL. */
function NotFound() {
  return (
    <Empty
      title="Page not found"
      action={
        <Button component={Link} to="/">
          Go to overview
        </Button>
      }
    >
      The URL may be outdated or mistyped.
    </Empty>
  );
}
