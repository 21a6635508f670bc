// Issuing, for every caller: REST, protocol servers, the platform itself. Reserve, then let the authority sign, then
// record; answer with the certificate when it is there in time, otherwise with its identifier.
import type { RequestAttributeDto } from '@signetry/contract';
import { coreActor, type RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditEntry, AuditTrail } from '../../audit/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import type { InFlight } from '../operations/in-flight.ts';
import type { Issuers } from '../core/issuers.ts';
import { assertMayIssue } from './issuing-authority.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import type { RequestFacts } from '../core/read-request.ts';
import { compromisedKey, createReserver } from './reserve.ts';
import * as store from '../core/store.ts';
import { insertIssueOperation } from '../operations/store.ts';
import { isCompromised } from '../core/store-compromised.ts';
import type { Owner, ProtocolLink, Reservation } from './store.ts';
import { LEASE_MS, type IssuingWork, type Outcome, type Predecessor, type Requester } from '../operations/work.ts';

export interface IssueInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly request: RequestFacts;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
  /** For requests that come over a protocol. */
  readonly association?: Association | undefined;
}

/** What a protocol server says about a certificate that it asks for. */
export interface Association {
  /** Chosen by the server, which has noted it already. */
  readonly certificateUuid: string;
  readonly protocol: ProtocolLink;
  /** On whose behalf the server asks, for the audit record. */
  readonly account: AuditEntry['affiliated'];
  /** As the profile of the protocol says; the protocol's own user never owns certificates. */
  readonly owner: Owner | null;
  readonly groupUuids: readonly string[];
}

/** `der` is there when the certificate was issued in time. */
export interface IssueAnswer {
  readonly uuid: string;
  readonly der: Uint8Array | undefined;
}

/** `outcome` is undefined while the work goes on. */
export interface IssueAttempt {
  readonly uuid: string;
  readonly outcome: Outcome | undefined;
}

function answerOf({ uuid, outcome }: IssueAttempt): IssueAnswer {
  if (outcome?.status === 'failed' || outcome?.status === 'waiting') throw outcome.error;
  return { uuid, der: outcome?.status === 'issued' ? outcome.der : undefined };
}

export interface IssuerOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly issueAttributes: CallAttributes;
  readonly carryOut: (work: IssuingWork) => Promise<Outcome>;
  readonly issuers: Issuers;
  readonly inFlight: InFlight;
  readonly waitMs: number;
}

export type CertificateIssuer = ReturnType<typeof createCertificateIssuer>;

export function createCertificateIssuer(options: IssuerOptions) {
  const { platform, raProfiles, issueAttributes, carryOut, issuers, inFlight, waitMs } = options;
  const { clock, faultPoint } = platform;
  const reserve = createReserver({ database: platform.database, audit: options.audit, attributes: options.attributes });

  /** Issues a certificate for a request. */
  async function issue(input: IssueInput, context: RequestContext): Promise<IssueAnswer> {
    return answerOf(await attempt(input, context));
  }

  /** The same for callers that tell what failed for good from what goes on. Refusals before anything is stored are thrown. */
  async function attempt(input: IssueInput, context: RequestContext): Promise<IssueAttempt> {
    const profile = await usableProfile(input.authorityUuid, input.raProfileUuid);
    issueAttributes.refuseCustom(input.customAttributes);
    const attributes = await issueAttributes.validate(profile, input.attributes);
    const { request, association } = input;
    return start({ kind: 'issue', profile, request, attributes, predecessor: undefined, association }, context);
  }

  /** Stores a request without issuing it; `issueRequested` does that later. */
  async function submit(
    input: {
      readonly raProfileUuid: string;
      readonly request: RequestFacts;
      readonly attributes: readonly RequestAttributeDto[];
      readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
    },
    context: RequestContext,
  ): Promise<string> {
    const profile = await raProfiles.forIssuingByUuid(input.raProfileUuid);
    issueAttributes.refuseCustom(input.customAttributes);
    raProfiles.assertEnabled(profile);
    await assertMayIssue(issuers, profile, clock.now());
    const attributes = await issueAttributes.validate(profile, input.attributes);
    const work = {
      kind: 'issue',
      profile,
      request: input.request,
      attributes,
      predecessor: undefined,
    } as const;
    const reservation = { ...reservationOf(work, context), operationUuid: '' };
    await reserve({
      reservation,
      context,
      values: issueAttributes.valueSet(reservation.certificateUuid, profile, attributes),
      groupUuids: [],
    });
    return reservation.certificateUuid;
  }

  /** Issues a stored request that is in state requested. */
  async function issueRequested(
    input: { readonly authorityUuid: string; readonly raProfileUuid: string; readonly certificateUuid: string },
    context: RequestContext,
  ): Promise<IssueAnswer> {
    const profile = await usableProfile(input.authorityUuid, input.raProfileUuid);
    await assertMayIssue(issuers, profile, clock.now());
    const row = await store.findOne(platform.database.executor, input.certificateUuid);
    if (!row || row.ra_profile_uuid !== profile.uuid)
      throw new AppError('object_not_found', { what: 'Certificate', id: input.certificateUuid });
    const request =
      row.request_uuid === null ? undefined : await store.findRequest(platform.database.executor, row.request_uuid);
    const attributes = await issueAttributes.read(input.certificateUuid, profile);
    const requester = requesterOf(context);
    const operationUuid = newUuid();
    const operation = {
      uuid: operationUuid,
      certificate_uuid: input.certificateUuid,
      ra_profile_uuid: profile.uuid,
      requester_uuid: requester.uuid,
      requester_name: requester.name,
      payload: {},
      ...lease(),
    };
    // It may have become so since the request was stored.
    if (request && (await isCompromised(platform.database.hot, request.public_key_fingerprint))) throw compromisedKey();
    const inserted = await platform.database.transaction((tx) => insertIssueOperation(tx, operation));
    if (!inserted || !request) {
      throw new AppError('invalid_state', {
        what: 'Certificate',
        name: row.common_name || row.uuid,
        state: row.state,
        needed: 'the state requested and no operation under way',
      });
    }
    return finishing({
      operationUuid,
      certificateUuid: input.certificateUuid,
      kind: 'issue',
      profile,
      request: {
        der: request.der,
        format: request.format,
        publicKeyFingerprint: request.public_key_fingerprint,
        commonName: request.common_name,
      },
      attributes,
      predecessor: undefined,
      requester,
      attempts: 1,
      context,
    });
  }

  /** Reserves and carries out checked work: the common road of issue, renew and rekey. */
  async function perform(work: CheckedWork, context: RequestContext): Promise<IssueAnswer> {
    return answerOf(await start(work, context));
  }

  async function start(work: CheckedWork, context: RequestContext): Promise<IssueAttempt> {
    await assertMayIssue(issuers, work.profile, clock.now());
    faultPoint('issue.beforeIntent');
    const reservation = reservationOf(work, context);
    await reserve({
      reservation,
      context,
      values: issueAttributes.valueSet(reservation.certificateUuid, work.profile, work.attributes),
      groupUuids: work.association?.groupUuids ?? [],
      affiliated: work.association?.account,
    });
    return finish({
      operationUuid: reservation.operationUuid,
      certificateUuid: reservation.certificateUuid,
      kind: work.kind,
      profile: work.profile,
      request: {
        der: work.request.der,
        format: work.request.format,
        publicKeyFingerprint: work.request.public_key_fingerprint,
        commonName: work.request.common_name,
      },
      attributes: work.attributes,
      predecessor: work.predecessor,
      requester: requesterOf(context),
      attempts: 1,
      context,
    });
  }

  const finishing = async (work: IssuingWork): Promise<IssueAnswer> => answerOf(await finish(work));

  async function finish(work: IssuingWork): Promise<IssueAttempt> {
    const outcome = await inFlight.within({ operationUuid: work.operationUuid, waitMs }, () => carryOut(work));
    faultPoint('issue.beforeAnswer');
    return { uuid: work.certificateUuid, outcome };
  }

  async function usableProfile(authorityUuid: string, raProfileUuid: string): Promise<IssuingProfile> {
    const profile = await raProfiles.forIssuing(authorityUuid, raProfileUuid);
    raProfiles.assertEnabled(profile);
    if (profile.legacy)
      throw new AppError('object_not_found', { what: 'RA profile with certificate operations', id: raProfileUuid });
    return profile;
  }

  function reservationOf(work: CheckedWork, context: RequestContext): Reservation {
    const requester = requesterOf(context);
    const { leased_by, leased_until, created_at } = lease();
    const { association } = work;
    return {
      certificateUuid: association?.certificateUuid ?? newUuid(),
      operationUuid: newUuid(),
      kind: work.kind,
      raProfileUuid: work.profile.uuid,
      predecessorUuid: work.predecessor?.uuid ?? null,
      requesterUuid: requester.uuid,
      requesterName: requester.name,
      payload: {},
      leasedBy: leased_by,
      leasedUntil: leased_until,
      createdAt: created_at,
      historyUuid: newUuid(),
      owner: association ? association.owner : ownerOf(requester),
      protocol: association?.protocol ?? null,
      request: work.request,
    };
  }

  function lease() {
    const now = clock.now();
    return { leased_by: platform.nodeId, leased_until: new Date(now.getTime() + LEASE_MS), created_at: now };
  }

  return { issue, attempt, submit, issueRequested, perform, usableProfile };
}

/** Work whose preconditions hold; nothing of it is stored yet. */
export interface CheckedWork {
  readonly kind: 'issue' | 'renew' | 'rekey';
  readonly profile: IssuingProfile;
  readonly request: RequestFacts;
  readonly attributes: readonly RequestAttributeDto[];
  readonly predecessor: Predecessor | undefined;
  readonly association?: Association | undefined;
}

/** Whoever asks owns the certificate. */
const ownerOf = ({ uuid, name }: Requester): Owner | null => (uuid === null ? null : { uuid, username: name });

export const requesterOf = ({ actor }: RequestContext): Requester => ({
  uuid: actor.userUuid,
  name: actor.username ?? coreActor.username ?? 'signetry',
});
