// Facts that most objects share.
import type { Fact } from '../ui/facts.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { NamedReference } from './columns.tsx';
import type { ObjectPaths } from './paths.ts';

export const identifierFact = (uuid: string): Fact => ({ name: 'Identifier', value: uuid, code: true, copy: uuid });

/** Returns a fact that links to an object on which this one depends. */
export const linkFact = (name: string, paths: ObjectPaths, { uuid, name: text }: NamedReference): Fact => ({
  name,
  value:
    uuid === undefined ? 'Removed. No certificates can be issued.' : <TextLink to={paths.one(uuid)}>{text}</TextLink>,
});
