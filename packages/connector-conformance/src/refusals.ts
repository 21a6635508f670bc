// The forms of refusals: a list of sentences for what rules refuse, a message for everything else.
import { ErrorMessageDto, ProblemList } from '@signetry/contract';
import type { Reply } from './reach.ts';

/** What is wrong with the form of a refusal, as the end of a sentence. */
export function refusalProblem({ status, text }: Reply): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (status === 422) {
    const problems = ProblemList.safeParse(body);
    if (!problems.success) return 'with 422 must be a list of strings';
    if (problems.data.length === 0 || problems.data.some((problem) => problem.trim() === '')) return 'says nothing';
    return undefined;
  }
  const message = ErrorMessageDto.safeParse(body);
  if (!message.success) return `with ${status} must be an object with a message`;
  return message.data.message.trim() === '' ? 'says nothing' : undefined;
}
