// The first step of issuing: checks that what is asked for is allowed and complete. Nothing is stored or signed yet.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { judgedTogether } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditEntry } from '../../audit/index.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { Issuers, RequestFacts, WithReservation } from '../../certificates/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import type { Owner, ProtocolLink } from '../operations/reservation.ts';
import type { IssuingWork } from '../operations/work.ts';
import { assertMayIssue } from './issuing-authority.ts';

/** A request, or how to get it once everything else is found to be in order. */
export type Requested = RequestFacts | (() => Promise<RequestFacts>);

export const factsOf = async (requested: Requested): Promise<RequestFacts> =>
  typeof requested === 'function' ? requested() : requested;

export interface IssueInput extends ProfilePath {
  readonly request: Requested;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
  /** For requests that come over a protocol. */
  readonly association?: Association | undefined;
  readonly withReservation?: WithReservation | undefined;
}

/** What a protocol server says about a certificate that it asks for. */
export interface Association {
  /** Chosen by the server, which has noted it already. */
  readonly certificateUuid: string;
  /**
   * Resolves when the server has committed something from which it asks for this very certificate again after a crash;
   * rejects when it has not. Nothing is signed before. The server commits nothing for a key that was revoked as
   * compromised, and looks after the rejection itself.
   */
  readonly committed?: Promise<unknown> | undefined;
  readonly protocol: ProtocolLink;
  /** On whose behalf the server asks, for the audit record. */
  readonly account: AuditEntry['affiliated'];
  /** As the profile of the protocol says; the protocol's own user never owns certificates. */
  readonly owner: Owner | null;
  readonly groupUuids: readonly string[];
  /** In the form of requests; judged when the profile was set up. */
  readonly customAttributes: readonly RequestAttributeDto[];
}

/** A request whose preconditions hold: what the work is made of once it is reserved. */
export interface CheckedRequest extends Pick<
  IssuingWork,
  'kind' | 'profile' | 'attributes' | 'predecessor' | 'enrolment'
> {
  readonly request: RequestFacts;
  /** Accepted, to be kept with the certificate. */
  readonly customAttributes: readonly RequestAttributeDto[];
  readonly association?: Association | undefined;
  readonly withReservation?: WithReservation | undefined;
  /** When the caller asked for a successor: one that was being issued at that time is the same one. */
  readonly begunAt?: Date | undefined;
}

export interface CheckParts {
  readonly platform: Pick<Platform, 'clock'>;
  readonly raProfiles: RaProfiles;
  readonly issueAttributes: CallAttributes;
  readonly issuers: Pick<Issuers, 'pathOf'>;
}

export async function check(
  { raProfiles, issueAttributes, issuers, platform }: CheckParts,
  input: IssueInput,
  context: RequestContext,
): Promise<CheckedRequest> {
  const { association, withReservation } = input;
  const profile = await usableProfile(raProfiles, input);
  const [customAttributes, attributes] = await judgedTogether(
    association
      ? Promise.resolve(association.customAttributes)
      : issueAttributes.acceptCustom(input.customAttributes, context),
    issueAttributes.validate(profile, input.attributes, context),
  );
  await assertMayIssue(issuers, profile, platform.clock.now());
  const request = await factsOf(input.request);
  const accepted = { profile, request, attributes, customAttributes };
  return { kind: 'issue', ...accepted, predecessor: undefined, association, withReservation };
}
