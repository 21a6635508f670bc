// Removes secrets from requests. They must not be stored, not even as a digest, from which they could be guessed.
import type { RequestAttributeDto } from '@signetry/contract';

export const withoutSecrets = (attributes: readonly RequestAttributeDto[]): readonly RequestAttributeDto[] =>
  attributes.filter(({ contentType }) => contentType !== 'secret');
