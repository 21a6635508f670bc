// Highlights comments, strings, numbers and keywords in source code, by language family. Pure and linear in the text,
// because it runs on every keystroke. It only affects display, so misclassifying a rare construct is harmless.
import type { ProgrammingLanguageEnum } from '@signetry/contract';

export type TokenKind = 'comment' | 'text' | 'number' | 'keyword' | 'name' | 'plain';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

type Rule = readonly [kind: TokenKind, pattern: RegExp];

/** Longer texts are not highlighted, so that typing stays responsive. */
const MAX_CHARACTERS = 50_000;

const slashes: Rule = ['comment', /\/\/.*|\/\*[^]*?(?:\*\/|$)/y];
const hash: Rule = ['comment', /#.*/y];
const texts: Rule = ['text', /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/y];
const backticks: Rule = ['text', /`(?:\\.|[^`\\])*`?/y];
const numbers: Rule = ['number', /(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\b/iy];
const member: Rule = ['name', /"(?:\\.|[^"\\\n])*"(?=\s*:)/y];

const keywords: Rule = [
  'keyword',
  /(?:abstract|and|as|async|await|begin|bool|boolean|break|by|case|catch|char|class|const|continue|create|def|default|defer|delete|do|done|double|echo|elif|else|elsif|end|enum|esac|except|export|extends|extern|false|fi|final|finally|float|fn|for|foreach|from|fun|func|function|go|group|if|impl|implements|import|in|include|insert|int|interface|into|is|join|lambda|let|local|long|match|module|mut|namespace|new|nil|none|not|null|on|or|order|override|package|pass|private|protected|public|pub|raise|require|return|select|self|set|short|signed|sizeof|static|string|struct|sub|super|switch|table|template|then|this|throw|trait|true|try|type|typedef|typeof|union|unless|unsigned|until|update|use|using|val|values|var|virtual|void|where|while|with|yield)\b/iy,
];

const cLike: readonly Rule[] = [slashes, texts, backticks, numbers, keywords];
const script: readonly Rule[] = [hash, texts, backticks, numbers, keywords];
const settings: readonly Rule[] = [
  ['comment', /[#;!].*/y],
  ['keyword', /\[[^\]\n]*\]/y],
  texts,
  ['name', /[\w.-]+(?=\s*[=:])/y],
  numbers,
  keywords,
];
const markup: readonly Rule[] = [
  ['comment', /<!--[^]*?(?:-->|$)/y],
  ['keyword', /<\/?[\w:.-]+|\/?>|<[?!][^>]*>/y],
  ['name', /[\w:.-]+(?==)/y],
  texts,
];
const query: readonly Rule[] = [['comment', /--.*|\/\*[^]*?(?:\*\/|$)/y], texts, numbers, keywords];
const json: readonly Rule[] = [member, texts, numbers, keywords];
const yaml: readonly Rule[] = [hash, ['name', /[\w.-]+(?=:(?:\s|$))/y], texts, numbers, keywords];
const lisp: readonly Rule[] = [['comment', /;.*/y], texts, numbers, keywords];
const percent: readonly Rule[] = [['comment', /%.*/y], ['keyword', /\\[a-z]+/iy], texts, numbers, keywords];
const basic: readonly Rule[] = [['comment', /'.*/y], ['text', /"[^"\n]*"?/y], numbers, keywords];
const prose: readonly Rule[] = [['keyword', /(?<=^|\n)#{1,6} .*/y], backticks];

/** All other languages are treated like C. */
const families: Partial<Record<ProgrammingLanguageEnum, readonly Rule[]>> = {
  apacheconf: script, bash: script, docker: script, gherkin: script, git: script, graphql: script, makefile: script,
  nginx: script, perl: script, powershell: script, python: script, ruby: script,
  ini: settings, properties: settings, http: settings,
  html: markup, xml: markup, xquery: markup,
  sql: query, json, yaml, lisp, smalltalk: lisp,
  latex: percent, matlab: percent,
  basic, vbnet: basic, markdown: prose,
}; // prettier-ignore

/** Splits code into tokens that together contain the whole text. */
export function tokensOf(language: string, code: string): readonly Token[] {
  if (code.length > MAX_CHARACTERS || language === '') return [{ kind: 'plain', text: code }];
  const rules = familyOf(language) ?? cLike;
  const tokens: Token[] = [];
  let plainFrom = 0;
  let at = 0;
  while (at < code.length) {
    const found = firstMatch(rules, code, at);
    if (!found) {
      at += skippedLength(code, at);
      continue;
    }
    if (plainFrom < at) tokens.push({ kind: 'plain', text: code.slice(plainFrom, at) });
    tokens.push(found);
    at += found.text.length;
    plainFrom = at;
  }
  if (plainFrom < code.length) tokens.push({ kind: 'plain', text: code.slice(plainFrom) });
  return tokens;
}

const familyOf = (language: string): readonly Rule[] | undefined =>
  Object.entries(families).find(([name]) => name === language)?.[1];

function firstMatch(rules: readonly Rule[], code: string, at: number): Token | undefined {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(code) ?? [];
    if (text) return { kind, text };
  }
  return undefined;
}

/** Returns the length of unclassified text. Words are skipped as a whole, so that no keyword is found within them. */
function skippedLength(code: string, at: number): number {
  const word = /[\p{L}\p{N}_$]+/uy;
  word.lastIndex = at;
  return word.exec(code)?.[0].length ?? 1;
}
