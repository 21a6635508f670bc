// Legacy software CA for tests, with shorthand calls for its end entities.
import type { CallConnector } from '@signetry/connector-sdk';
import {
  authorityProviderOperations as authorities,
  legacyAuthorityProviderOperations as operations,
  type AddEndEntityRequestDto,
  type EditEndEntityRequestDto,
  type RaProfileDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { readCertificate, type Certificate } from '@signetry/pki';
import { integer, makeCsr } from '../../testing/test-authority.ts';
import { PROFILE } from '../../attributes/ra-profile-settings.ts';

export const raProfileWith = (...attributes: readonly RequestAttributeDto[]): RaProfileDto => ({
  uuid: '00000000-0000-4000-8000-000000000001',
  name: 'people',
  enabled: true,
  attributes: attributes.map((attribute) => ({ ...attribute, label: attribute.name, type: 'data' })),
});

const RA_PROFILE = raProfileWith(integer(PROFILE.validityDays, 30));

export async function createLegacyCa(
  call: CallConnector,
  name: string,
  attributes: readonly RequestAttributeDto[] = [],
): Promise<string> {
  const { uuid } = await call(authorities.createAuthorityInstance, {
    body: { name, kind: 'SoftwareCALegacy', attributes: [...attributes] },
  });
  return uuid;
}

/** Returns calls for the end entities of one CA, under its profile `default`. */
export function endEntitiesOf(call: CallConnector, uuid: string, endEntityProfileName = 'default') {
  const params = { uuid, endEntityProfileName };
  const named = (username: string) => ({ params: { ...params, endEntityName: username } });
  return {
    add: (username: string, facts: Partial<AddEndEntityRequestDto> = {}) =>
      call(operations.createEndEntity, {
        params,
        body: { username, password: 'first', subjectDN: `CN=${username}`, raProfile: RA_PROFILE, ...facts },
      }),
    edit: (username: string, facts: Partial<EditEndEntityRequestDto> = {}) =>
      call(operations.updateEndEntity, {
        ...named(username),
        body: { password: 'second', subjectDN: `CN=${username}`, status: 'NEW', raProfile: RA_PROFILE, ...facts },
      }),
    get: (username: string) => call(operations.getEndEntity, named(username)),
    list: () => call(operations.listEndEntities, { params }),
    remove: (username: string) => call(operations.removeEndEntity, named(username)),
    resetPassword: (username: string) => call(operations.resetPassword, named(username)),
    async issue(
      username: string,
      facts: { password?: string; request?: string; key?: string } = {},
    ): Promise<Certificate> {
      const { certificateData } = await call(operations.issueCertificate, {
        params,
        body: { username, password: facts.password ?? 'first', pkcs10: facts.request ?? (await makeCsr()) },
        idempotencyKey: facts.key,
      });
      return readCertificate(certificateData);
    },
    revoke: (certificateSN: string, issuerDN: string) =>
      call(operations.revokeCertificate, { params, body: { certificateSN, issuerDN, reason: 'superseded' } }),
  };
}
