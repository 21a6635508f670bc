// First step of issuance: checks that the request is permitted and complete. Nothing is stored or signed yet.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { evaluateTogether } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditEntry } from '../../audit/index.ts';
import type { RaProfiles } from '../../ra-profiles/index.ts';
import type { Issuers, RequestFacts, ReservationHook } from '../../certificates/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import type { Owner, ProtocolLink } from '../operations/reservation.ts';
import type { IssuingWork } from '../operations/work.ts';
import { assertMayIssue } from './issuing-authority.ts';

/** A request, or a function that obtains it after all other checks have passed. */
export type RequestInput = RequestFacts | (() => Promise<RequestFacts>);

export const factsOf = async (requested: RequestInput): Promise<RequestFacts> =>
  typeof requested === 'function' ? requested() : requested;

export interface IssueInput extends ProfilePath {
  readonly request: RequestInput;
  readonly attributes: readonly RequestAttributeDto[];
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
  /** Present for requests received over a protocol. */
  readonly association?: Association | undefined;
  readonly withReservation?: ReservationHook | undefined;
}

/** What a protocol server specifies about a certificate that it requests. */
export interface Association {
  /** Identifier that the protocol server chose and has already stored. */
  readonly certificateUuid: string;
  /**
   * Resolves when the server has committed a record from which it can request this same certificate again after a
   * crash; rejects if it has not. Nothing is signed before that. The server commits nothing for a key that was revoked
   * as compromised, and handles that rejection itself.
   */
  readonly committed?: Promise<unknown> | undefined;
  readonly protocol: ProtocolLink;
  /** Account on whose behalf the server makes the request, for the audit record. */
  readonly account: AuditEntry['affiliated'];
  /** Owner specified in the protocol profile. The protocol's own user never owns certificates. */
  readonly owner: Owner | null;
  readonly groupUuids: readonly string[];
  /** In request format; validated when the profile was configured. */
  readonly customAttributes: readonly RequestAttributeDto[];
}

/** A request that meets all preconditions. The work is built from it once it has been reserved. */
export interface CheckedRequest extends Pick<
  IssuingWork,
  'kind' | 'profile' | 'attributes' | 'predecessor' | 'requiresAllNames' | 'enrollment'
> {
  readonly request: RequestFacts;
  /** Validated, to be stored with the certificate. */
  readonly customAttributes: readonly RequestAttributeDto[];
  readonly association?: Association | undefined;
  readonly withReservation?: ReservationHook | undefined;
  /**
   * When the caller requested a successor. A successor that was already being issued at that time is treated as the
   * requested one.
   */
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
  const [customAttributes, attributes] = await evaluateTogether(
    association
      ? Promise.resolve(association.customAttributes)
      : issueAttributes.acceptCustom(input.customAttributes, context),
    issueAttributes.validate(profile, input.attributes, context),
  );
  await assertMayIssue(issuers, profile, platform.clock.now());
  const request = await factsOf(input.request);
  const accepted = { profile, request, attributes, customAttributes };
  const requiresAllNames = association?.protocol.protocol === 'acme';
  return { kind: 'issue', ...accepted, predecessor: undefined, requiresAllNames, association, withReservation };
}
