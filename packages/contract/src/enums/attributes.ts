// Enumerations for attributes: kinds, content types, constraints, callback targets, languages of code blocks.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/**
 * data: input for an operation; group: further attributes that a callback returns; info: text in a form; meta: metadata
 * from a connector; custom: the organization's own data.
 */
export const AttributeType = enumeration('AttributeType', {
  data: 'Data',
  group: 'Group',
  info: 'Info',
  meta: 'Metadata',
  custom: 'Custom',
});
export type AttributeType = z.output<typeof AttributeType>;

export const AttributeContentType = enumeration('AttributeContentType', {
  string: 'String',
  text: 'Text',
  integer: 'Integer number',
  boolean: 'Boolean',
  float: 'Decimal number',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  secret: 'Secret',
  file: 'File',
  credential: 'Credential',
  codeblock: 'Code block',
  object: 'Object',
});
export type AttributeContentType = z.output<typeof AttributeContentType>;

export const AttributeConstraintType = enumeration('AttributeConstraintType', {
  regExp: 'Regular Expression',
  range: 'Integer Range',
  dateTime: 'DateTime Range',
});
export type AttributeConstraintType = z.output<typeof AttributeConstraintType>;

/** Part of a callback request in which a mapped value is sent. */
export const AttributeValueTarget = enumeration('AttributeValueTarget', {
  pathVariable: 'Path variable',
  requestParameter: 'Request parameter',
  body: 'Body property',
});
export type AttributeValueTarget = z.output<typeof AttributeValueTarget>;

/** Language of a code block. */
export const ProgrammingLanguageEnum = enumeration('ProgrammingLanguageEnum', {
  apacheconf: 'ApacheConf',
  bash: 'Bash',
  basic: 'Basic',
  c: 'C',
  csharp: 'C#',
  cpp: 'C++',
  css: 'CSS',
  docker: 'Dockerfile',
  fsharp: 'F#',
  gherkin: 'Gherkin',
  git: 'Git',
  go: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  http: 'HTTP',
  ini: 'Ini',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  latex: 'LaTeX',
  lisp: 'Lisp',
  makefile: 'Makefile',
  markdown: 'Markdown',
  matlab: 'Matlab',
  nginx: 'Nginx conf',
  objectivec: 'Objective C',
  perl: 'Perl',
  php: 'PHP',
  powershell: 'PowerShell',
  properties: 'Properties',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  smalltalk: 'Smalltalk',
  sql: 'SQL',
  typescript: 'TypeScript',
  vbnet: 'VB.NET',
  xquery: 'XQuery',
  xml: 'XML',
  yaml: 'YAML',
});
export type ProgrammingLanguageEnum = z.output<typeof ProgrammingLanguageEnum>;

/** Content types whose items are searched by value. All others are searched by reference text. */
export const contentTypesFilteredByData: ReadonlySet<AttributeContentType> = new Set([
  'string',
  'text',
  'integer',
  'boolean',
  'float',
  'date',
  'time',
  'datetime',
]);
