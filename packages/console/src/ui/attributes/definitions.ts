// Parses attribute definitions from the platform and adds defaults for omitted members.
import type { BaseAttributeDto, BaseAttributeInput } from '@signetry/contract';

/** Does not load the schema for an empty response. */
export async function definitionsOf(answer: readonly BaseAttributeInput[]): Promise<readonly BaseAttributeDto[]> {
  if (answer.length === 0) return [];
  const { completed } = await import('./definition-shape.ts');
  return answer.map(completed);
}
