// The reference page of all terms, from the glossary of the console.
import { terms } from '../packages/console/src/areas/help/terms.ts';
import { page, table } from './page-text.ts';

export const glossaryPage = (): string =>
  page(
    'Glossary',
    'Terms used in the console, in the CLI, in the API and in these pages. "Interface" as a source means the published ' +
      'API. Where a term replaces other words, they are listed so that you can find it.',
    table(
      ['Term', 'Definition', 'Source', 'Replaces'],
      terms.map(({ term, definition, source = '', avoid = '' }) => [term, definition, source, avoid]),
    ),
  );
