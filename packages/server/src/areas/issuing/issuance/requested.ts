// Certificates that are requested now and issued later: the request is stored without an operation. The certificate is
// reserved when an authorized caller issues it.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { approvalNeeded } from '../approving/approval-needed.ts';
import {
  assertChangeable,
  findCertificate,
  findCertificateRequest,
  isCompromised,
  problemOfRequest,
  recordEvent,
  rejectListedKey,
  rejectCertificate,
  type CertificateRow,
  type RequestRow,
} from '../../certificates/index.ts';
import { newOperation } from '../operations/leases.ts';
import { usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import { insertIssueOperation } from '../operations/store.ts';
import { requesterOf, type IssuingWork } from '../operations/work.ts';
import { factsOf, type Association, type RequestInput } from './check.ts';
import { finish, waiting, type IssueAttempt, type IssueParts } from './issue.ts';
import { assertMayIssue } from './issuing-authority.ts';
import { compromisedKey, storeRequest } from './reserve.ts';

export interface SubmitInput {
  readonly raProfileUuid: string;
  readonly request: RequestInput;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
  /** Present for requests received over a protocol. */
  readonly association?: Association | undefined;
}

/** Stores a request; returns its certificate object, which `issueRequested` issues later. */
export async function submit(parts: IssueParts, input: SubmitInput, context: RequestContext): Promise<string> {
  const { raProfiles, issueAttributes, issuers, platform } = parts;
  const { association } = input;
  const profile = await raProfiles.forIssuingByUuid(input.raProfileUuid);
  const customAttributes =
    association?.customAttributes ?? (await issueAttributes.acceptCustom(input.customAttributes, context));
  raProfiles.assertEnabled(profile);
  await assertMayIssue(issuers, profile, platform.clock.now());
  const attributes = await issueAttributes.validate(profile, input.attributes, context);
  const request = await factsOf(input.request);
  const checked = {
    kind: 'issue',
    profile,
    request,
    attributes,
    customAttributes,
    predecessor: undefined,
    association,
  } as const;
  const certificateUuid = await storeRequest(parts, checked, context);
  const facts = { certificateUuid, raProfileUuid: profile.uuid, isRepeated: false };
  const problem = await problemOfRequest(parts.compliance, facts);
  if (problem !== undefined) await rejectStored(parts, { certificateUuid, problem }, context);
  return certificateUuid;
}

async function rejectStored(
  { platform, audit }: IssueParts,
  { certificateUuid, problem }: { readonly certificateUuid: string; readonly problem: string },
  context: RequestContext,
): Promise<void> {
  const at = platform.clock.now();
  await platform.database.transaction(async (tx) => {
    await rejectCertificate(tx, certificateUuid, { at });
    const entry = { event: 'Request Certificate', status: 'FAILED', message: problem } as const;
    const occasion = { audit, context, at };
    await recordEvent(tx, occasion, {
      operation: 'request',
      history: [{ certificate_uuid: certificateUuid, ...entry }],
      objects: [{ uuid: certificateUuid }],
      result: 'failure',
      message: problem,
    });
  });
}

/** Issues a stored request in state `requested`. */
export async function issueRequested(
  parts: IssueParts,
  input: ProfilePath & { readonly certificateUuid: string },
  context: RequestContext,
): Promise<IssueAttempt> {
  const { raProfiles, issueAttributes, issuers, platform, weakKeys } = parts;
  const { database } = platform;
  const { certificateUuid } = input;
  const profile = await usableProfile(raProfiles, input);
  await assertMayIssue(issuers, profile, platform.clock.now());
  const row = await findCertificate(database.executor, certificateUuid);
  if (row?.ra_profile_uuid !== profile.uuid)
    throw new AppError('object_not_found', { what: 'Certificate', id: certificateUuid });
  assertChangeable(row);
  const request = await requestOf(parts, row);
  const work: IssuingWork = {
    operationUuid: newUuid(),
    certificateUuid,
    kind: 'issue',
    profile,
    request,
    attributes: await issueAttributes.read(certificateUuid, profile),
    predecessor: undefined,
    requester: requesterOf(context),
    attempts: 1,
    context,
  };
  // The key may have been listed as weak or revoked as compromised since the request was stored.
  rejectListedKey(weakKeys, request);
  if (await isCompromised(database.hot, request.public_key_fingerprint)) throw compromisedKey();
  const approvalProfileUuid = approvalNeeded(profile, context);
  const isReserved = await database.transaction(async (tx) => {
    if (!(await insertIssueOperation(tx, newOperation(platform, work)))) return false;
    if (approvalProfileUuid !== undefined) await parts.awaitApproval(tx, { ...work, approvalProfileUuid });
    return true;
  });
  if (!isReserved) throw notRequested(row);
  return approvalProfileUuid === undefined ? finish(parts, work) : waiting(work);
}

async function requestOf({ platform }: IssueParts, row: CertificateRow): Promise<RequestRow> {
  const request =
    row.request_uuid === null ? undefined : await findCertificateRequest(platform.database.executor, row.request_uuid);
  if (!request) throw notRequested(row);
  return request;
}

const notRequested = ({ uuid, common_name, state }: CertificateRow): AppError =>
  new AppError('invalid_state', {
    what: 'Certificate',
    name: common_name || uuid,
    state,
    needed: 'the state requested and no operation in progress',
  });
