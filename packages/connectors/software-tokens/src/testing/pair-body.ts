// Request body for a key pair.
import type { CreateKeyRequestDto, RequestAttributeDto } from '@signetry/contract';
import { KEY } from '../index.ts';

const text = (name: string, data: string): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType: 'string',
  content: [{ data }],
});

export const pairBody = (alias: string, specification = 'P-256'): CreateKeyRequestDto => ({
  tokenProfileAttributes: [],
  createKeyAttributes: [text(KEY.alias, alias), text(KEY.specification, specification)],
});
