// What the pages of CMP, SCEP and EST differ in, besides their settings and the commands of their clients.
import type { BulkActionMessageDto, EnrolmentProtocol, Resource } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { paths, type ProtocolPaths } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';
import { cmpListQuery, estListQuery, scepListQuery, type ProfileListQuery } from '../../queries/protocols.ts';

export interface Protocol {
  readonly id: EnrolmentProtocol;
  readonly label: string;
  readonly paths: ProtocolPaths;
  /** What a user must be able to list. */
  readonly resource: Resource;
  readonly listQuery: ProfileListQuery;
  readonly description: string;
  readonly emptyText: string;
  /** What its one-time secrets are called. */
  readonly secret: string;
  readonly rights: {
    readonly create: Right;
    readonly update: (uuid: string) => Right;
    readonly enable: (uuid: string) => Right;
    readonly remove: (uuid: string) => Right;
  };
  readonly enable: (uuid: string) => Promise<unknown>;
  readonly disable: (uuid: string) => Promise<unknown>;
  readonly remove: (uuid: string) => Promise<unknown>;
  /** Also while RA profiles serve the protocol with it; absent where that does not hinder. */
  readonly removeByForce?: (uuid: string) => Promise<readonly BulkActionMessageDto[]>;
}

const rightsOn = (resource: 'cmpProfiles' | 'scepProfiles'): Protocol['rights'] => ({
  create: [resource, 'create'],
  update: (uuid) => [resource, 'update', uuid],
  enable: (uuid) => [resource, 'enable', uuid],
  remove: (uuid) => [resource, 'delete', uuid],
});

/** Rights on RA profiles decide about EST profiles. */
const mayUpdate: Right = ['raProfiles', 'update'];

export const cmp: Protocol = {
  id: 'cmp',
  label: 'CMP',
  paths: paths.cmp,
  resource: 'cmpProfiles',
  listQuery: cmpListQuery,
  description:
    'With CMP, devices and network elements get, update and revoke certificates. Each profile has an address, its own protection of messages and its own rules.',
  emptyText:
    'A CMP profile decides under which RA profile certificates are issued and how messages are protected: with a shared secret, with one-time secrets, or with certificates.',
  secret: 'one-time secret',
  rights: rightsOn('cmpProfiles'),
  enable: (uuid) => api.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } }),
  disable: (uuid) => api.cmpProfiles.disableCmpProfile({ params: { cmpProfileUuid: uuid } }),
  remove: (uuid) => api.cmpProfiles.deleteCmpProfile({ params: { cmpProfileUuid: uuid } }),
  removeByForce: (uuid) => api.cmpProfiles.forceDeleteCmpProfiles({ body: [uuid] }),
};

export const scep: Protocol = {
  id: 'scep',
  label: 'SCEP',
  paths: paths.scep,
  resource: 'scepProfiles',
  listQuery: scepListQuery,
  description:
    'With SCEP, routers, mobile devices and device managers get and renew certificates. Each profile has an address, its own challenges and its own rules.',
  emptyText:
    'A SCEP profile decides under which RA profile certificates are issued and which challenge password a request must have. It needs a certificate whose RSA key is in a token.',
  secret: 'one-time challenge',
  rights: rightsOn('scepProfiles'),
  enable: (uuid) => api.scepProfiles.enableScepProfile({ params: { uuid } }),
  disable: (uuid) => api.scepProfiles.disableScepProfile({ params: { uuid } }),
  remove: (uuid) => api.scepProfiles.deleteScepProfile({ params: { uuid } }),
  removeByForce: (uuid) => api.scepProfiles.forceDeleteScepProfiles({ body: [uuid] }),
};

export const est: Protocol = {
  id: 'est',
  label: 'EST',
  paths: paths.est,
  resource: 'raProfiles',
  listQuery: estListQuery,
  description:
    'With EST, devices and scripts get and renew certificates over HTTPS. Each profile has an address, its own users and its own rules.',
  emptyText:
    'An EST profile decides under which RA profile certificates are issued and who may request them: users with a password, one-time passwords, or holders of certificates.',
  secret: 'one-time password',
  rights: { create: mayUpdate, update: () => mayUpdate, enable: () => mayUpdate, remove: () => mayUpdate },
  enable: (uuid) => api.estProfiles.enableEstProfile({ params: { estProfileUuid: uuid } }),
  disable: (uuid) => api.estProfiles.disableEstProfile({ params: { estProfileUuid: uuid } }),
  remove: (uuid) => api.estProfiles.deleteEstProfile({ params: { estProfileUuid: uuid } }),
};

export const protocols: Readonly<Record<EnrolmentProtocol, Protocol>> = { cmp, scep, est };

/** With its article. */
export const aProfile = ({ label }: Protocol): string => `${label === 'EST' ? 'an' : 'a'} ${label} profile`;
