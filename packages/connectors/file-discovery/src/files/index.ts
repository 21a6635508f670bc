// File search without the connector, for programs that search files on their own.
export { FAILURE_TEXTS, FileFailure, type FailureKind } from './failure.ts';
export { DEFAULT_PATTERNS, parsePatterns, patternProblems } from './name-patterns.ts';
export { MAX_PASSWORDS, type FileCertificate, type FileFormat } from './read-certificates.ts';
export { search, type SearchedFile, type SearchFacts, type SearchPoint } from './search.ts';
