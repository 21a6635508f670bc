// Formats of rejections: a list of problems for rule violations, a message for everything else.
import { ErrorMessageDto, ProblemList } from '@signetry/contract';
import { z } from 'zod';
import type { Reply } from './transport.ts';

/** Returns the problem with the format of a rejection, as the end of a sentence. */
export function rejectionProblem({ status, text }: Reply): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (status === 422) {
    const problems = ProblemList.safeParse(body);
    if (!problems.success) return 'with 422 must be a list of strings';
    if (problems.data.length === 0 || problems.data.some((problem) => problem.trim() === ''))
      return 'contains no error message';
    return undefined;
  }
  const message = ErrorMessageDto.safeParse(body);
  if (!message.success) return `with ${status} must be an object with a message`;
  return message.data.message.trim() === '' ? 'contains no error message' : undefined;
}

/** Returns whether a rejection contains its reason only in `errors` or `error`, from which platforms pass it on. */
export function hasOtherReason({ status, text }: Reply): boolean {
  if (status === 422) return false;
  const parsed = OtherReason.safeParse(parsedOf(text));
  if (!parsed.success) return false;
  const { error = '', errors = [] } = parsed.data;
  return [error, ...errors.map((each) => each.error)].some((reason) => reason.trim() !== '');
}

const OtherReason = z.object({
  error: z.string().optional(),
  errors: z.array(z.object({ error: z.string() })).optional(),
});

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
