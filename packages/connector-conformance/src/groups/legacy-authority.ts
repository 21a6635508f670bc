// Legacy authority providers: certificates are issued to end entities under the authority's profiles.
import { randomBytes, randomUUID } from 'node:crypto';
import { legacyAuthorityProviderOperations as legacy, type RaProfileDto } from '@signetry/contract';
import { formatName, type Certificate } from '@signetry/pki';
import { requireIssuedFor } from '../certificates/checks.ts';
import { makeRequest } from '../certificates/requests.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult, type Call } from '../session.ts';
import { authorities, checkConnection } from './authority.ts';
import { checkInstances, checkRemoval } from './instances.ts';

type Params = Call['params'] & object;

export async function checkLegacyAuthorityProvider(scope: Scope): Promise<void> {
  const instance = await checkInstances(scope, authorities);
  if (instance) {
    await checkConnection(scope, instance.params);
    const profile = await checkProfiles(scope, instance.params);
    if (profile) await checkEndEntities(scope, { ...instance.params, endEntityProfileName: profile });
  }
  await checkRemoval(scope, authorities, instance);
}

/** The published paths of three of these operations lack a segment, so they are called whether declared or not. */
async function checkProfiles(scope: Scope, params: Params): Promise<string | undefined> {
  const { session } = scope;
  const name = await scope.check('lists end entity profiles with their certificate profiles and CAs', async () => {
    if (await scope.isMissing(legacy.listEntityProfiles, { params })) throw scope.notOffered(legacy.listEntityProfiles);
    const [profile] = await session.ask(legacy.listEntityProfiles, { params });
    if (!profile) throw scope.lacking('The connector has no end entity profiles.');
    const ofProfile = { ...params, endEntityProfileId: profile.id };
    await session.ask(legacy.listCertificateProfiles, { params: ofProfile });
    await session.ask(legacy.listCAsInProfile, { params: ofProfile });
    return profile.name;
  });
  return name;
}

const raProfile: RaProfileDto = { uuid: randomUUID(), name: 'conformance', enabled: true, attributes: [] };

async function checkEndEntities(scope: Scope, params: Params): Promise<void> {
  const { session } = scope;
  const username = `conformance-${randomUUID()}`;
  const password = randomBytes(12).toString('base64url');
  session.secrets.add(password);
  const named = { ...params, endEntityName: username };
  const request = await makeRequest();
  const facts = { subjectDN: formatName(request.subject), raProfile, password };
  const made = await scope.check('creates, returns, lists and updates an end entity', async () => {
    if (await scope.isMissing(legacy.listEndEntities, { params })) throw scope.notOffered(legacy.listEndEntities);
    await session.ask(legacy.createEndEntity, { params, body: { ...facts, username } });
    session.defer(() => session.exchange(scope.requestOf(legacy.removeEndEntity, { params: named })));
    const shown = await session.ask(legacy.getEndEntity, { params: named });
    expect(shown.username === username, `The response contains the end entity ${shown.username}.`, username);
    const listed = await session.ask(legacy.listEndEntities, { params });
    expect(
      listed.some((each) => each.username === username),
      'The list does not contain the end entity.',
      'a list with the end entity',
    );
    await session.ask(legacy.updateEndEntity, { params: named, body: { ...facts, status: 'NEW' } });
    return username;
  });
  await scope.check('returns 404 for an end entity that does not exist', async () => {
    requireResult(made, 'creates an end entity');
    await session.refused(legacy.getEndEntity, { params: { ...params, endEntityName: randomUUID() } }, [404]);
  });
  const issued = await scope.check('issues a certificate to an end entity', async (): Promise<Certificate> => {
    const body = { username: requireResult(made, 'creates an end entity'), password, pkcs10: request.text };
    const { certificateData } = await session.ask(legacy.issueCertificate, { params, body });
    return requireIssuedFor(certificateData, request);
  });
  await scope.check('revokes a certificate', async () => {
    const { serialNumber, issuer } = requireResult(issued, 'issues a certificate to an end entity');
    const body = { certificateSN: serialNumber, issuerDN: formatName(issuer), reason: 'superseded' };
    await session.ask(legacy.revokeCertificate, { params, body });
  });
  await scope.check('resets the password of an end entity', async () => {
    requireResult(made, 'creates an end entity');
    await session.ask(legacy.resetPassword, { params: named });
  });
  await scope.check('removes an end entity', async () => {
    requireResult(made, 'creates an end entity');
    await session.ask(legacy.removeEndEntity, { params: named });
    await session.refused(legacy.getEndEntity, { params: named }, [404]);
  });
}
