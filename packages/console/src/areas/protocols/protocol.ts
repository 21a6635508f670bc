// Differences between the CMP, SCEP and EST pages, apart from settings and client commands.
import type { BulkActionMessageDto, EnrollmentProtocol, Resource } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { paths, type ProtocolPaths } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';
import {
  cmpListQuery,
  estListQuery,
  PROTOCOLS_KEY,
  scepListQuery,
  type ProfileListQuery,
} from '../../queries/protocols.ts';

export interface Protocol {
  readonly id: EnrollmentProtocol;
  readonly label: string;
  readonly paths: ProtocolPaths;
  /** Resource that a user must be able to list. */
  readonly resource: Resource;
  readonly listQuery: ProfileListQuery;
  readonly queryKey: typeof PROTOCOLS_KEY;
  /** Example of a profile name. */
  readonly example: string;
  readonly description: string;
  readonly emptyText: string;
  /** Name of the protocol's one-time secrets. */
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
  /**
   * Removes a profile even if RA profiles use it to serve the protocol; absent if such use does not prevent removal.
   */
  readonly removeByForce?: (uuid: string) => Promise<readonly BulkActionMessageDto[]>;
}

const rightsOn = (resource: 'cmpProfiles' | 'scepProfiles'): Protocol['rights'] => ({
  create: [resource, 'create'],
  update: (uuid) => [resource, 'update', uuid],
  enable: (uuid) => [resource, 'enable', uuid],
  remove: (uuid) => [resource, 'delete', uuid],
});

/** Permissions on RA profiles also apply to EST profiles. */
const mayUpdate: Right = ['raProfiles', 'update'];

export const cmp: Protocol = {
  id: 'cmp',
  label: 'CMP',
  paths: paths.cmp,
  resource: 'cmpProfiles',
  listQuery: cmpListQuery,
  queryKey: PROTOCOLS_KEY,
  example: 'devices',
  description:
    'Devices and network elements use CMP to obtain, update and revoke certificates. Each profile has its own URL, message protection and rules.',
  emptyText:
    'A CMP profile determines the RA profile that certificates are issued under, and how messages are protected: with a shared secret, one-time secrets or certificates.',
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
  queryKey: PROTOCOLS_KEY,
  example: 'devices',
  description:
    'Routers, mobile devices and device managers use SCEP to obtain and renew certificates. Each profile has its own URL, challenge passwords and rules.',
  emptyText:
    'A SCEP profile determines the RA profile that certificates are issued under, and the challenge password that requests must contain. It requires a certificate whose RSA key is in a token.',
  secret: 'one-time challenge password',
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
  queryKey: PROTOCOLS_KEY,
  example: 'devices',
  description:
    'Devices and scripts use EST to obtain and renew certificates over HTTPS. Each profile has its own URL, users and rules.',
  emptyText:
    'An EST profile determines the RA profile that certificates are issued under, and how requesters authenticate: with a user name and password, a one-time password or a certificate.',
  secret: 'one-time password',
  rights: { create: mayUpdate, update: () => mayUpdate, enable: () => mayUpdate, remove: () => mayUpdate },
  enable: (uuid) => api.estProfiles.enableEstProfile({ params: { estProfileUuid: uuid } }),
  disable: (uuid) => api.estProfiles.disableEstProfile({ params: { estProfileUuid: uuid } }),
  remove: (uuid) => api.estProfiles.deleteEstProfile({ params: { estProfileUuid: uuid } }),
};

export const protocols: Readonly<Record<EnrollmentProtocol, Protocol>> = { cmp, scep, est };

/** Returns the name of a protocol profile with its indefinite article. */
export const profileWithArticle = ({ label }: Protocol): string => `${label === 'EST' ? 'an' : 'a'} ${label} profile`;
