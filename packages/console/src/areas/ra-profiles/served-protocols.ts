// The protocols that an RA profile can serve, and how to activate each of them.
import type { Resource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { paths, type ObjectPaths } from '../../kit/paths.ts';
import { profileListQuery } from '../../queries/acme.ts';
import { cmpListQuery, estListQuery, scepListQuery } from '../../queries/protocols.ts';
import type { CertificateAttributes } from '../protocol-settings/certificate-attributes.ts';

export interface RaProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** State of a protocol for an RA profile; the name and UUID are those of the protocol profile. */
export interface ProtocolState {
  readonly isServed: boolean;
  readonly uuid: string;
  readonly name: string;
  readonly url: string | undefined;
}

interface Choice {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
}

export interface ServedProtocol {
  readonly label: string;
  readonly resource: Resource;
  readonly paths: ObjectPaths;
  readonly addressLabel: string;
  readonly revokes: boolean;
  readonly choices: (signal: AbortSignal) => Promise<readonly Choice[]>;
  readonly choicesKey: readonly string[];
  readonly find: (place: RaProfilePath, signal: AbortSignal) => Promise<ProtocolState>;
  readonly serve: (place: RaProfilePath, uuid: string, attributes: CertificateAttributes) => Promise<unknown>;
  readonly stop: (place: RaProfilePath) => Promise<unknown>;
}

const acme: ServedProtocol = {
  label: 'ACME',
  resource: 'acmeProfiles',
  paths: paths.acme,
  addressLabel: 'Directory URL',
  revokes: true,
  choices: (signal) => api.acmeProfiles.listAcmeProfiles({}, { signal }),
  choicesKey: profileListQuery.queryKey,
  find: async (params, signal) => {
    const { acmeAvailable, directoryUrl, ...found } = await api.raProfileAcme.getAcmeForRaProfile(
      { params },
      { signal },
    );
    return { ...found, isServed: acmeAvailable, url: directoryUrl };
  },
  serve: (place, acmeProfileUuid, body) =>
    api.raProfileAcme.activateAcmeForRaProfile({ params: { ...place, acmeProfileUuid }, body }),
  stop: (params) => api.raProfileAcme.deactivateAcmeForRaProfile({ params }),
};

const cmp: ServedProtocol = {
  label: 'CMP',
  resource: 'cmpProfiles',
  paths: paths.cmp,
  addressLabel: 'CMP URL',
  revokes: true,
  choices: (signal) => api.cmpProfiles.listCmpProfiles({}, { signal }),
  choicesKey: cmpListQuery.queryKey,
  find: async (params, signal) => {
    const { cmpAvailable, cmpUrl, ...found } = await api.raProfileCmp.getCmpForRaProfile({ params }, { signal });
    return { ...found, isServed: cmpAvailable, url: cmpUrl };
  },
  serve: (place, cmpProfileUuid, body) =>
    api.raProfileCmp.activateCmpForRaProfile({ params: { ...place, cmpProfileUuid }, body }),
  stop: (params) => api.raProfileCmp.deactivateCmpForRaProfile({ params }),
};

const scep: ServedProtocol = {
  label: 'SCEP',
  resource: 'scepProfiles',
  paths: paths.scep,
  addressLabel: 'SCEP URL',
  revokes: false,
  choices: (signal) => api.scepProfiles.listScepProfiles({}, { signal }),
  choicesKey: scepListQuery.queryKey,
  find: async (params, signal) => {
    const { scepAvailable, url, ...found } = await api.raProfileScep.getScepForRaProfile({ params }, { signal });
    return { ...found, isServed: scepAvailable, url };
  },
  serve: (place, scepProfileUuid, { issueCertificateAttributes }) =>
    api.raProfileScep.activateScepForRaProfile({
      params: { ...place, scepProfileUuid },
      body: { issueCertificateAttributes },
    }),
  stop: (params) => api.raProfileScep.deactivateScepForRaProfile({ params }),
};

const est: ServedProtocol = {
  label: 'EST',
  resource: 'raProfiles',
  paths: paths.est,
  addressLabel: 'EST URL',
  revokes: false,
  choices: (signal) => api.estProfiles.listEstProfiles({}, { signal }),
  choicesKey: estListQuery.queryKey,
  find: async (params, signal) => {
    const { estAvailable, url, ...found } = await api.raProfileEst.getEstForRaProfile({ params }, { signal });
    return { ...found, isServed: estAvailable, url };
  },
  serve: (place, estProfileUuid, { issueCertificateAttributes }) =>
    api.raProfileEst.activateEstForRaProfile({
      params: { ...place, estProfileUuid },
      body: { issueCertificateAttributes },
    }),
  stop: (params) => api.raProfileEst.deactivateEstForRaProfile({ params }),
};

export const servedProtocols: readonly ServedProtocol[] = [acme, cmp, scep, est];

/**
 * Query that returns whether the protocol is served for the RA profile and, if so, with which protocol profile and at
 * which URL.
 */
export const servedQuery = (protocol: ServedProtocol, place: RaProfilePath) =>
  queryOptions({
    queryKey: ['raProfiles', 'served', protocol.label, place.raProfileUuid],
    queryFn: ({ signal }) => protocol.find(place, signal),
  });
