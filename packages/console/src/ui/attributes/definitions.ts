// Parses attribute definitions from the platform and adds defaults for omitted members.
import type { BaseAttributeDto, BaseAttributeInput } from '@signetry/contract';

/** Parses the definitions. The schema is not loaded for an empty response. */
export async function definitionsOf(answer: readonly BaseAttributeInput[]): Promise<readonly BaseAttributeDto[]> {
  if (answer.length === 0) return [];
  const { completeDefinition } = await import('./definition-shape.ts');
  return answer.map(completeDefinition);
}
