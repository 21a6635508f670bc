// Definitions as the platform answers them, with the defaults of what was left out.
import type { BaseAttributeDto, BaseAttributeInput } from '@signetry/contract';

/** Does not load the schema for an empty answer. */
export async function definitionsOf(answer: readonly BaseAttributeInput[]): Promise<readonly BaseAttributeDto[]> {
  if (answer.length === 0) return [];
  const { completed } = await import('./definition-shape.ts');
  return answer.map(completed);
}
