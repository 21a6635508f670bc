// Definitions as the platform answers them, with what an answer may leave out filled in.
import type { BaseAttributeDto, BaseAttributeInput } from '@signetry/contract';

/** Lists and facts, which have no definitions, do without the shapes. */
export async function definitionsOf(answer: readonly BaseAttributeInput[]): Promise<readonly BaseAttributeDto[]> {
  if (answer.length === 0) return [];
  const { completed } = await import('./definition-shape.ts');
  return answer.map(completed);
}
