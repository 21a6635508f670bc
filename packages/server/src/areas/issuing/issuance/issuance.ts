// Issuance for the rest of the platform: the functions of this folder with their dependencies bound.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { CheckedRequest, IssueInput } from './check.ts';
import { responseFor, issue, perform, type IssueResponse, type IssueAttempt, type IssueParts } from './issue.ts';
import { issueRequested, submit, type SubmitInput } from './requested.ts';

export type Issuance = ReturnType<typeof createIssuance>;

export const createIssuance = (parts: IssueParts) => ({
  issue: async (input: IssueInput, context: RequestContext): Promise<IssueResponse> =>
    responseFor(await issue(parts, input, context)),
  /** The same for callers that distinguish permanent failures from work in progress. */
  attempt: (input: IssueInput, context: RequestContext): Promise<IssueAttempt> => issue(parts, input, context),
  /** Performs a renewal or rekey whose preconditions hold. */
  perform: (checked: CheckedRequest, context: RequestContext): Promise<IssueAttempt> =>
    perform(parts, checked, context),
  submit: (input: SubmitInput, context: RequestContext): Promise<string> => submit(parts, input, context),
  issueRequested: async (
    input: Parameters<typeof issueRequested>[1],
    context: RequestContext,
  ): Promise<IssueResponse> => responseFor(await issueRequested(parts, input, context)),
});
