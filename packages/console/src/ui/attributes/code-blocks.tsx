// Code as an attribute value, with its language, syntax highlighting and a copy button.
import { ProgrammingLanguageEnum } from '@signetry/contract';
import { Code } from '../code.tsx';
import { fromBase64, textMember, type ContentItem } from './attribute-content.ts';
import classes from './attributes.module.css';

export function CodeBlocks({ items }: { readonly items: readonly ContentItem[] }) {
  return (
    <span className={classes.blocks}>
      {items.map(({ data }, place) => {
        const language = textMember(data, 'language');
        return (
          <Code
            // oxlint-disable-next-line no-array-index-key -- they have no other name
            key={place}
            place={describeLanguage(language)}
            language={language}
            text={fromBase64(textMember(data, 'code'))}
          />
        );
      })}
    </span>
  );
}

const labels: Readonly<Record<string, string>> = ProgrammingLanguageEnum.labels;

const describeLanguage = (language: string): string =>
  (Object.hasOwn(labels, language) ? labels[language] : undefined) ?? (language || 'Code');
