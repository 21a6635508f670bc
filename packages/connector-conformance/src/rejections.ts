// Formats of rejections: a list of problems for rule violations, a message for everything else.
import { ErrorMessageDto, ProblemList } from '@signetry/contract';
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
