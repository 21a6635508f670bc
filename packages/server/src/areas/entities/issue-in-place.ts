// Certificates for keys that are made where the location is: the key never leaves it. The certificate is pushed as soon
// as it is issued.
import {
  entityProviderOperations,
  type GenerateCsrResponseDto,
  type IssueToLocationRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { csrForm } from './entity-access.ts';
import type { LocationPath } from './locations.ts';
import { carryOut, keyOf, note, takenPlace, usablePlace, type DeploymentParts, type Noted, type Place, type Target } from './push.ts'; // prettier-ignore
import { requireHeld } from './take-out.ts';
import { findHeld } from './store.ts';
import type { LocationRow } from './tables.ts';

export async function issueInPlace(
  parts: DeploymentParts,
  path: LocationPath,
  { request, context }: { readonly request: IssueToLocationRequestDto; readonly context: RequestContext },
): Promise<void> {
  const { access, certificates, platform } = parts;
  const place = await usablePlace(parts, path);
  const { location } = place;
  assertMakesKeys(location);
  const { replace } = request;
  takenPlace(location, await findHeld(platform.database.executor, [location.uuid]), { replace });
  const given = { requested: request.csrAttributes, caller: context };
  const csr = await access.accept(location.entity_uuid, csrForm, given);
  const made = await makeRequest(parts, place, { csr, renewal: false, context });
  const {
    raProfileUuid,
    issueAttributes: attributes,
    customAttributes = [],
    certificateCustomAttributes = [],
  } = request;
  const asked = { raProfileUuid, attributes, customAttributes: merged(customAttributes, certificateCustomAttributes) };
  const issue = () => certificates.issue({ ...asked, request: made.der }, context);
  await follow(parts, place, { made, csr, taken: { replace }, issue, context });
}

/** Has what a location holds renewed, with the key that the location makes or keeps; answers the successor. */
export async function renewInPlace(parts: DeploymentParts, target: Target, context: RequestContext): Promise<string> {
  const { certificates, values } = parts;
  const place = await usablePlace(parts, target);
  assertMakesKeys(place.location);
  const { certificate } = await requireHeld(parts, place, target.certificateUuid);
  const { title } = certificate;
  const csr = await values.readOf(keyOf({ ...place, certificate }), 'csr');
  if (csr.length === 0)
    throw rejected(
      `Nobody knows how the request for ${title} was made in ${place.location.name}: issue a new certificate to the location in its place instead.`,
    );
  const made = await makeRequest(parts, place, { csr, renewal: true, context });
  const issue = () => certificates.succeed(certificate.uuid, made.der, context);
  return follow(parts, place, { made, csr, taken: { replaces: certificate.uuid }, issue, context });
}

interface MadeRequest extends GenerateCsrResponseDto {
  readonly der: Uint8Array;
  readonly locationAttributes: RequestAttributeDto[];
}

async function makeRequest(
  { values }: DeploymentParts,
  { location, reached: { client, params, entity } }: Place,
  facts: { readonly csr: readonly RequestAttributeDto[]; readonly renewal: boolean; readonly context: RequestContext },
): Promise<MadeRequest> {
  const { csr, renewal, context } = facts;
  const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
  const body = { locationAttributes, csrAttributes: [...csr], renewal };
  const { generateCsrLocation } = entityProviderOperations;
  const answer = await client.call(generateCsrLocation, { params, body }, { signal: context.signal });
  return { ...answer, der: Buffer.from(answer.csr, 'base64'), locationAttributes };
}

interface Followed {
  readonly made: MadeRequest;
  readonly csr: readonly RequestAttributeDto[];
  readonly taken: Noted['place'];
  readonly issue: () => Promise<{ readonly uuid: string; readonly der: Uint8Array | undefined }>;
  readonly context: RequestContext;
}

async function follow(
  parts: DeploymentParts,
  place: Place,
  { made, csr, taken, issue, context }: Followed,
): Promise<string> {
  const orCleanUp = async (error: unknown): Promise<never> => {
    await cleanUp(parts, place, { made, context });
    throw error;
  };
  const issued = await issue().catch(orCleanUp);
  const entry = { ...place, certificate: await parts.certificates.require(issued.uuid) };
  const { pushAttributes: push, metadata = [] } = made;
  const wanted = issued.der === undefined ? 'waiting' : 'pushing';
  const noted = note(parts, entry, { state: wanted, push, csr, place: taken, metadata, context });
  if ((await noted.catch(orCleanUp)) === 'pushing') await carryOut(parts, entry, context);
  return issued.uuid;
}

/** The key that nobody certified goes again; that it stays is not worth another refusal. */
async function cleanUp(
  { platform }: DeploymentParts,
  { location, reached: { client, params } }: Place,
  { made, context }: { readonly made: MadeRequest; readonly context: RequestContext },
): Promise<void> {
  const { metadata = [], locationAttributes } = made;
  if (metadata.length === 0) return;
  const body = { certificateMetadata: metadata, locationAttributes };
  const { removeCertificateFromLocation } = entityProviderOperations;
  const removed = client.call(removeCertificateFromLocation, { params, body }, { signal: context.signal });
  await removed.catch((error: unknown) =>
    platform.log.warn({ error, location: location.name }, 'a key whose certificate was refused stays in its location'),
  );
}

function assertMakesKeys({ name, key_management: makesKeys }: LocationRow): void {
  if (!makesKeys)
    throw rejected(`No keys can be made in the location ${name}: issue the certificate elsewhere, and push it.`);
}

/** Later values of an attribute win. */
const merged = (
  first: readonly RequestAttributeDto[],
  second: readonly RequestAttributeDto[],
): RequestAttributeDto[] => [...first.filter(({ name }) => !second.some((other) => other.name === name)), ...second];
