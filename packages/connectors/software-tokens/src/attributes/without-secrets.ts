// Requests without what must not be kept, not even as a digest by which it could be guessed.
import type { RequestAttributeDto } from '@signetry/contract';

export const withoutSecrets = (attributes: readonly RequestAttributeDto[]): readonly RequestAttributeDto[] =>
  attributes.filter(({ contentType }) => contentType !== 'secret');
