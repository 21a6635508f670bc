// Entity providers: a key is generated in a location, and its certificate is pushed, found and removed there.
import { randomUUID } from 'node:crypto';
import {
  entityProviderOperations as entity,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { equalBytes, toBase64 } from '@signetry/pki';
import { createExternalAuthority } from '../certificates/external-authority.ts';
import { certificateIn, requestIn } from '../certificates/checks.ts';
import { checkForm, checkUseRejects, type FilledForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult, type Call } from '../session.ts';
import { checkInstances, checkRemoval, type InstanceKind } from './instances.ts';

const entities: InstanceKind = {
  noun: 'entity',
  one: 'an entity',
  list: entity.listEntityInstances,
  create: entity.createEntityInstance,
  get: entity.getEntityInstance,
  update: entity.updateEntityInstance,
  remove: entity.removeEntityInstance,
  params: (entityUuid) => ({ entityUuid }),
};

export async function checkEntityProvider(scope: Scope): Promise<void> {
  const instance = await checkInstances(scope, entities);
  if (instance) await checkLocations(scope, instance.params);
  await checkRemoval(scope, entities, instance);
}

async function checkLocations(scope: Scope, params: Call['params'] & object): Promise<void> {
  const location = await checkForm(scope, {
    of: 'location',
    list: entity.listLocationAttributes,
    validate: entity.validateLocationAttributes,
    params,
  });
  const csr = await checkForm(scope, {
    of: 'location CSR',
    list: entity.listGenerateCsrAttributes,
    validate: entity.validateGenerateCsrAttributes,
    params,
  });
  const push = await checkForm(scope, {
    of: 'certificate push',
    list: entity.listPushCertificateAttributes,
    validate: entity.validatePushCertificateAttributes,
    params,
  });
  const place: LocationScope = { scope, params, location };
  await scope.check('returns the certificates in a location', async () => void (await contentsOf(place)));
  await scope.check('returns 404 for a location of an entity that does not exist', async () =>
    scope.session.refused(
      entity.getLocationDetail,
      {
        params: { entityUuid: randomUUID() },
        body: { locationAttributes: requireResult(location, 'location attributes').values },
      },
      [404],
    ),
  );
  await checkUseRejects(scope, 'reading a location', {
    form: location,
    refused: (locationAttributes) =>
      scope.session.refused(entity.getLocationDetail, { params, body: { locationAttributes } }, [422, 400]),
  });
  await checkKeyInLocation(place, { csr, push });
}

interface LocationScope {
  readonly scope: Scope;
  readonly params: Call['params'] & object;
  readonly location: FilledForm | undefined;
}

const locationOf = ({ location }: LocationScope): RequestAttributeDto[] =>
  requireResult(location, 'location attributes').values;

async function contentsOf(place: LocationScope) {
  const { scope, params } = place;
  const body = { locationAttributes: locationOf(place) };
  const { certificates } = await scope.session.ask(entity.getLocationDetail, { params, body });
  return certificates.map(({ certificateData, metadata = [], withKey }) => ({
    der: certificateIn(certificateData).der,
    metadata,
    withKey,
  }));
}

/** Adds values from the push form for attributes that the connector did not specify with the CSR. */
const mergeAttributes = (
  first: readonly RequestAttributeDto[],
  second: readonly RequestAttributeDto[],
): RequestAttributeDto[] => [...first, ...second.filter(({ name }) => !first.some((each) => each.name === name))];

async function checkKeyInLocation(
  place: LocationScope,
  { csr, push }: { csr: FilledForm | undefined; push: FilledForm | undefined },
): Promise<void> {
  const { scope, params } = place;
  const { session } = scope;
  const made = await scope.check('generates a key and a CSR signed with it', async () => {
    const csrAttributes = requireResult(csr, 'location CSR attributes').values;
    const body = { locationAttributes: locationOf(place), csrAttributes, renewal: false };
    const answer = await session.ask(entity.generateCsrLocation, { params, body });
    return { request: requestIn(answer.csr), pushAttributes: answer.pushAttributes };
  });
  const pushed = await scope.check('adds the certificate of the key to the location', async () => {
    const { request, pushAttributes } = requireResult(made, 'generates a key and a CSR signed with it');
    const { issue } = await createExternalAuthority('CN=Conformance check');
    const der = issue({ subject: request.subject, spki: request.publicKey.spki });
    const body = {
      certificate: toBase64(der),
      locationAttributes: locationOf(place),
      pushAttributes: mergeAttributes(pushAttributes, requireResult(push, 'certificate push attributes').values),
    };
    const { certificateMetadata = [] } = await session.ask(entity.pushCertificateToLocation, { params, body });
    session.defer(() => remove(place, certificateMetadata));
    const held = (await contentsOf(place)).find((each) => equalBytes(each.der, der));
    expect(held !== undefined, 'The location does not contain the certificate.', 'the certificate in the location');
    expect(held.withKey, 'The certificate is returned without its key.', 'withKey true');
    return { der, metadata: held.metadata.length > 0 ? held.metadata : certificateMetadata };
  });
  await scope.check('removes a certificate from the location', async () => {
    const { der, metadata } = requireResult(pushed, 'adds the certificate of the key to the location');
    await remove(place, metadata);
    expect(
      !(await contentsOf(place)).some((each) => equalBytes(each.der, der)),
      'The location still contains the certificate.',
      'a location without the certificate',
    );
    await remove(place, metadata); // A platform that received no response repeats the request.
  });
}

const remove = (place: LocationScope, certificateMetadata: readonly MetadataAttribute[]) =>
  place.scope.session.ask(entity.removeCertificateFromLocation, {
    params: place.params,
    body: { certificateMetadata, locationAttributes: locationOf(place) },
  });
