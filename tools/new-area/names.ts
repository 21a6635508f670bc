// Names of an area in code, URLs, the database and sentences.
import { Resource } from '@signetry/contract';

/** The examples are for token profiles. */
export interface AreaNames {
  /** `tokenProfiles`: the resource, and its plural in code. */
  readonly things: Resource;
  /** `TokenProfiles` */
  readonly Things: string;
  /** `tokenProfile` */
  readonly thing: string;
  /** `TokenProfile` */
  readonly Thing: string;
  /** `token-profiles`: folders and files in the plural, and console URLs. */
  readonly 'things-file': string;
  /** `token-profile`: files in the singular. */
  readonly 'thing-file': string;
  /** `token_profile` */
  readonly table: string;
  /** `token profiles`, in the middle of a sentence. */
  readonly words: string;
  /** `Token profiles`, at the beginning of a sentence. */
  readonly Words: string;
  /** `token profile` */
  readonly word: string;
  /** `Token profile` */
  readonly Word: string;
}

/** Derives the names. Throws an error that describes the problem if they are not usable. */
export function areaNames(things: string, one = singularOf(things)): AreaNames {
  const resource = Resource.options.find((each) => each === things);
  if (!resource)
    throw new Error(`"${things}" is not a resource of the API; resources: ${Resource.options.join(', ')}.`);
  if (!/^[a-z][A-Za-z0-9]*$/.test(one) || one === things)
    throw new Error(`"${one}" is not a singular name for ${things}.`);
  return {
    things: resource,
    Things: capital(things),
    thing: one,
    Thing: capital(one),
    'things-file': separateWords(things, '-'),
    'thing-file': separateWords(one, '-'),
    table: separateWords(one, '_'),
    words: separateWords(things, ' '),
    Words: capital(separateWords(things, ' ')),
    word: separateWords(one, ' '),
    Word: capital(separateWords(one, ' ')),
  };
}

const singularOf = (things: string): string => things.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const separateWords = (name: string, by: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase());
