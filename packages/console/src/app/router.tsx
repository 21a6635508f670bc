// Every address of the console. Pages are loaded when somebody goes there; what the rooms of the menu list is asked for at the
// same time.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readOrderSearch } from '../areas/acme/orders/order-search.ts';
import { readProfileSearch } from '../areas/acme/profile-search.ts';
import { profileListQuery } from '../areas/acme/queries.ts';
import { authorityListQuery } from '../areas/authorities/queries.ts';
import { readCertificateSearch } from '../areas/certificates/list-search.ts';
import { certificateListQuery } from '../areas/certificates/queries.ts';
import { connectorListQuery } from '../areas/connectors/queries.ts';
import { issuingProfilesQuery } from '../areas/issue/queries.ts';
import { raProfileListQuery } from '../areas/ra-profiles/queries.ts';
import { expiringQuery, statisticsQuery } from '../areas/start/queries.ts';
import { Failure } from '../ui/outcomes.tsx';
import { askEarly } from './early.ts';
import { Gate } from './gate.tsx';
import { NotFound } from './not-found.tsx';

const root = createRootRoute({ component: Gate, notFoundComponent: NotFound });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: () => {
    void askEarly('certificates', statisticsQuery);
    void askEarly('certificates', expiringQuery);
  },
  component: lazyRouteComponent(() => import('../areas/start/start-page.tsx'), 'StartPage'),
});

const certificates = createRoute({
  getParentRoute: () => root,
  path: '/certificates',
  validateSearch: readCertificateSearch,
  loader: ({ location }) => void askEarly('certificates', certificateListQuery(readCertificateSearch(location.search))),
  component: lazyRouteComponent(() => import('../areas/certificates/list-page.tsx'), 'CertificateListPage'),
});

const certificate = createRoute({
  getParentRoute: () => root,
  path: '/certificates/$uuid',
  component: lazyRouteComponent(() => import('../areas/certificates/certificate-page.tsx'), 'CertificatePage'),
});

const rekey = createRoute({
  getParentRoute: () => root,
  path: '/certificates/$uuid/rekey',
  component: lazyRouteComponent(() => import('../areas/issue/rekey-page.tsx'), 'RekeyPage'),
});

const issue = createRoute({
  getParentRoute: () => root,
  path: '/issue',
  validateSearch: (given: Record<string, unknown>): { readonly raProfile?: string } =>
    typeof given['raProfile'] === 'string' ? { raProfile: given['raProfile'] } : {},
  loader: () => void askEarly('raProfiles', issuingProfilesQuery),
  component: lazyRouteComponent(() => import('../areas/issue/issue-page.tsx'), 'IssuePage'),
});

const acme = createRoute({
  getParentRoute: () => root,
  path: '/acme',
  loader: () => void askEarly('acmeProfiles', profileListQuery),
  component: lazyRouteComponent(() => import('../areas/acme/list-page.tsx'), 'AcmeListPage'),
});

const acmeNew = createRoute({
  getParentRoute: () => root,
  path: '/acme/new',
  component: lazyRouteComponent(() => import('../areas/acme/settings/new-page.tsx'), 'AcmeNewPage'),
});

const acmeProfile = createRoute({
  getParentRoute: () => root,
  path: '/acme/$uuid',
  validateSearch: readProfileSearch,
  component: lazyRouteComponent(() => import('../areas/acme/profile-page.tsx'), 'AcmeProfilePage'),
});

const acmeEdit = createRoute({
  getParentRoute: () => root,
  path: '/acme/$uuid/edit',
  component: lazyRouteComponent(() => import('../areas/acme/settings/edit-page.tsx'), 'AcmeEditPage'),
});

const acmeAccount = createRoute({
  getParentRoute: () => root,
  path: '/acme/$uuid/accounts/$accountUuid',
  validateSearch: readOrderSearch,
  component: lazyRouteComponent(() => import('../areas/acme/accounts/account-page.tsx'), 'AcmeAccountPage'),
});

const raProfiles = createRoute({
  getParentRoute: () => root,
  path: '/ra-profiles',
  loader: () => void askEarly('raProfiles', raProfileListQuery),
  component: lazyRouteComponent(() => import('../areas/ra-profiles/list-page.tsx'), 'RaProfileListPage'),
});

const newRaProfile = createRoute({
  getParentRoute: () => root,
  path: '/ra-profiles/new',
  validateSearch: (given: Record<string, unknown>): { readonly authority?: string } =>
    typeof given['authority'] === 'string' ? { authority: given['authority'] } : {},
  component: lazyRouteComponent(() => import('../areas/ra-profiles/new-page.tsx'), 'NewRaProfilePage'),
});

const raProfile = createRoute({
  getParentRoute: () => root,
  path: '/ra-profiles/$uuid',
  component: lazyRouteComponent(() => import('../areas/ra-profiles/ra-profile-page.tsx'), 'RaProfilePage'),
});

const editRaProfile = createRoute({
  getParentRoute: () => root,
  path: '/ra-profiles/$uuid/edit',
  component: lazyRouteComponent(() => import('../areas/ra-profiles/edit-page.tsx'), 'EditRaProfilePage'),
});

const authorities = createRoute({
  getParentRoute: () => root,
  path: '/authorities',
  loader: () => void askEarly('authorities', authorityListQuery),
  component: lazyRouteComponent(() => import('../areas/authorities/list-page.tsx'), 'AuthorityListPage'),
});

const newAuthority = createRoute({
  getParentRoute: () => root,
  path: '/authorities/new',
  component: lazyRouteComponent(() => import('../areas/authorities/new-page.tsx'), 'NewAuthorityPage'),
});

const authority = createRoute({
  getParentRoute: () => root,
  path: '/authorities/$uuid',
  component: lazyRouteComponent(() => import('../areas/authorities/authority-page.tsx'), 'AuthorityPage'),
});

const editAuthority = createRoute({
  getParentRoute: () => root,
  path: '/authorities/$uuid/edit',
  component: lazyRouteComponent(() => import('../areas/authorities/edit-page.tsx'), 'EditAuthorityPage'),
});

const connectors = createRoute({
  getParentRoute: () => root,
  path: '/connectors',
  loader: () => void askEarly('connectors', connectorListQuery),
  component: lazyRouteComponent(() => import('../areas/connectors/list-page.tsx'), 'ConnectorListPage'),
});

const newConnector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/new',
  component: lazyRouteComponent(() => import('../areas/connectors/new-page.tsx'), 'NewConnectorPage'),
});

const connector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/$uuid',
  component: lazyRouteComponent(() => import('../areas/connectors/connector-page.tsx'), 'ConnectorPage'),
});

const editConnector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/$uuid/edit',
  component: lazyRouteComponent(() => import('../areas/connectors/edit-page.tsx'), 'EditConnectorPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    certificates,
    certificate,
    rekey,
    issue,
    acme,
    acmeNew,
    acmeProfile,
    acmeEdit,
    acmeAccount,
    raProfiles,
    newRaProfile,
    raProfile,
    editRaProfile,
    authorities,
    newAuthority,
    authority,
    editAuthority,
    connectors,
    newConnector,
    connector,
    editConnector,
  ]),
  defaultPreload: 'intent',
  // What a page does not read from its address, it does not get.
  search: { strict: true },
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
