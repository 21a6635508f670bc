// An in-memory legacy authority provider.
import { defineConnector, instancesInMemory, notFound, rejected } from '@signetry/connector-sdk';
import type { EndEntityDto } from '@signetry/contract';
import { readCertificationRequest, toBase64 } from '@signetry/pki';
import { createExternalAuthority } from '../certificates/external-authority.ts';

export const sampleLegacy = defineConnector({
  name: 'sample-legacy',
  functions: { legacyAuthorityProvider: { kinds: ['Old'] } },
  create: () => {
    const authorities = instancesInMemory('Authority');
    const entities = new Map<string, EndEntityDto & { password: string }>();
    const find = (name: string) => {
      const found = entities.get(name);
      if (!found) throw notFound('End entity', name);
      return found;
    };
    const show = ({ password: _hidden, ...shown }: EndEntityDto & { password: string }): EndEntityDto => shown;
    const profile = { id: 1, name: 'SERVER' };
    return {
      functions: {
        legacyAuthorityProvider: {
          listAuthorityInstances: authorities.list,
          createAuthorityInstance: authorities.create,
          getAuthorityInstance: authorities.get,
          updateAuthorityInstance: authorities.update,
          removeAuthorityInstance: authorities.remove,
          getConnection: ({ params }) => void authorities.find(params.uuid),
          listEntityProfiles: () => [profile],
          listCertificateProfiles: () => [profile],
          listCAsInProfile: () => [{ id: 2, name: 'Old CA' }],
          listEndEntities: () => [...entities.values()].map(show),
          createEndEntity: ({ body: { raProfile: _profile, ...facts } }) =>
            void entities.set(facts.username, { ...facts, status: 'NEW' }),
          getEndEntity: ({ params }) => show(find(params.endEntityName)),
          updateEndEntity: ({ params, body: { raProfile: _profile, ...facts } }) =>
            void entities.set(params.endEntityName, { ...find(params.endEntityName), ...facts }),
          removeEndEntity: ({ params }) => void entities.delete(params.endEntityName),
          resetPassword: ({ params }) => void find(params.endEntityName),
          issueCertificate: async ({ body }) => {
            if (find(body.username).password !== body.password) throw rejected('The password is wrong.');
            const { subject, publicKey } = readCertificationRequest(body.pkcs10);
            const { issue } = await createExternalAuthority('CN=Old CA');
            return { certificateData: toBase64(issue({ subject, spki: publicKey.spki })) };
          },
          revokeCertificate: () => undefined,
        },
      },
    };
  },
});
