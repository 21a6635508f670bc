// The names that an area has in code, in addresses, in the database and in sentences.
import { Resource } from '@signetry/contract';

/** Of token profiles, for instance. */
export interface AreaNames {
  /** `tokenProfiles`: the resource, and what the code calls many of them. */
  readonly things: Resource;
  /** `TokenProfiles` */
  readonly Things: string;
  /** `tokenProfile` */
  readonly thing: string;
  /** `TokenProfile` */
  readonly Thing: string;
  /** `token-profiles`: folders and files of many, addresses of the console. */
  readonly 'things-file': string;
  /** `token-profile`: files of one. */
  readonly 'thing-file': string;
  /** `token_profile` */
  readonly table: string;
  /** `token profiles`, in the middle of a sentence. */
  readonly words: string;
  /** `Token profiles`, at its beginning. */
  readonly Words: string;
  /** `token profile` */
  readonly word: string;
  /** `Token profile` */
  readonly Word: string;
}

/** Throws with what is wrong with them. */
export function areaNames(things: string, one = singularOf(things)): AreaNames {
  const resource = Resource.options.find((each) => each === things);
  if (!resource)
    throw new Error(`"${things}" is no resource of the interface, which has ${Resource.options.join(', ')}.`);
  if (!/^[a-z][A-Za-z0-9]*$/.test(one) || one === things) throw new Error(`"${one}" is no name for one of ${things}.`);
  return {
    things: resource,
    Things: capital(things),
    thing: one,
    Thing: capital(one),
    'things-file': joined(things, '-'),
    'thing-file': joined(one, '-'),
    table: joined(one, '_'),
    words: joined(things, ' '),
    Words: capital(joined(things, ' ')),
    word: joined(one, ' '),
    Word: capital(joined(one, ' ')),
  };
}

const singularOf = (things: string): string => things.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const joined = (name: string, by: string): string => name.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase());
