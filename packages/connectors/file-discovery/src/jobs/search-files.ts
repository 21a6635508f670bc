// File discovery as a job: each file is a step.
import { createHash } from 'node:crypto';
import type { ConnectorContext } from '@signetry/connector-sdk';
import type {
  DiscoveryOutcome,
  Counts,
  CreateKind,
  DiscoveryJob,
  DiscoveryStep,
} from '@signetry/connector-sdk/discovery';
import { describeForms, LENIENT_FORM_TEXTS } from '@signetry/pki';
import { fileAttributes, readFileSpec, type FileSpec } from '../attributes/file-attributes.ts';
import { FAILURE_TEXTS } from '../files/failure.ts';
import { search, type SearchedFile } from '../files/search.ts';
import { certificateMetadata, discoveryMetadata } from '../present-discovery.ts';
import { failuresIn, type FileCheckpoint, type Sighting } from './file-checkpoint.ts';

type Job = DiscoveryJob<FileSpec, FileCheckpoint, Sighting>;

export const searchFiles: CreateKind<FileSpec, FileCheckpoint, Sighting> = (context) => {
  const names = Object.keys(context.readableDirectories ?? {});
  return {
    attributes: () => fileAttributes(names),
    accept(attributes) {
      const { wish, passwords } = readFileSpec(attributes, names);
      return {
        wish,
        checkpoint: { files: 0, elapsedMs: 0 },
        secrets: passwords.length === 0 ? undefined : new TextEncoder().encode(JSON.stringify(passwords)),
      };
    },
    run: (job) => run(context, job),
    metadata: discoveryMetadata,
    certificateMetadata,
  };
};

async function run({ readableDirectories = {} }: ConnectorContext, job: Job): Promise<DiscoveryOutcome> {
  const { wish, checkpoint, signal } = job;
  const missing = wish.directories.filter((name) => readableDirectories[name] === undefined);
  if (missing.length > 0) return { status: 'failed', reason: `Directories no longer configured: ${missing.join()}.` };
  const began = performance.now();
  const elapsed = (): number => checkpoint.elapsedMs + (performance.now() - began);
  const isInTime = (): boolean => elapsed() < wish.maxMinutes * 60_000;
  const hasRoom = (number: number): boolean => checkpoint.files + number < wish.maxFiles;
  const hasSeenAll = await search(
    {
      directories: wish.directories.map((name) => readableDirectories[name] ?? ''),
      patterns: wish.patterns,
      passwords: passwordsOf(job.secrets),
      maxDepth: wish.maxDepth,
      maxFileOctets: wish.maxFileKib * 1024,
    },
    {
      after: checkpoint.after,
      signal,
      room: (number) => job.room(number),
      mayGoOn: (number) => hasRoom(number) && isInTime(),
      onFile(number, file) {
        const after = file.point;
        const next = { after, files: checkpoint.files + number + 1, elapsedMs: Math.round(elapsed()) };
        job.done(number, stepOf(next, file));
      },
    },
  );
  const bound = isInTime() ? `limit of ${wish.maxFiles} files reached` : `limit of ${wish.maxMinutes} minutes reached`;
  const counts = await job.stored();
  return conclusionOf({ counts, problems: job.problems(), bound: hasSeenAll ? undefined : bound });
}

// This discovery sealed the secrets, so the format is known.
const passwordsOf = (secrets: Uint8Array | undefined): string[] =>
  secrets ? (JSON.parse(new TextDecoder().decode(secrets)) as string[]) : [];

function stepOf(
  checkpoint: FileCheckpoint,
  { path, contents, mode, failure }: SearchedFile,
): DiscoveryStep<FileCheckpoint, Sighting> {
  const why = failure?.kind ?? contents?.failure;
  const forms = contents?.forms ?? [];
  const problems = [...(why === undefined ? [] : [FAILURE_TEXTS[why]]), ...describeForms(forms)];
  const outcome = failure?.kind ?? (contents?.format ? 'found' : 'nothing');
  const certificates = contents?.certificates ?? [];
  return {
    checkpoint,
    counts: {
      [outcome]: 1,
      ...(failure === undefined && why !== undefined ? { partly: 1 } : {}),
      ...(forms.length > 0 && { lenient: 1 }),
    },
    problems: problems.map((problem) => `${path}: ${problem}`),
    certificates: certificates.map(({ der, position, alias, key }) => ({
      fingerprint: createHash('sha256').update(der).digest('hex'),
      der,
      sighting: {
        path,
        format: contents?.format ?? 'PEM',
        position,
        alias,
        key,
        mode: key && mode !== undefined ? mode.toString(8).padStart(4, '0') : undefined,
      },
    })),
  };
}

/** Maximum number of files that the conclusion names for each reason; the metadata names up to 100. */
const MAX_NAMED = 3;

interface Found {
  readonly counts: Counts;
  readonly problems: readonly string[];
  readonly bound: string | undefined;
}

function conclusionOf({ counts, problems, bound }: Found): DiscoveryOutcome {
  const withFiles = (text: string, count: number, texts: readonly string[]): string => {
    const paths = problems.flatMap((problem) => {
      const ending = texts.map((each) => `: ${each}`).find((each) => problem.endsWith(each));
      return ending === undefined ? [] : [problem.slice(0, -ending.length)];
    });
    const named = [...new Set(paths)].slice(0, MAX_NAMED);
    const more = named.length < count ? ' and others' : '';
    return `${text} (${count})${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}`;
  };
  const lenient = counts['lenient'] ?? 0;
  const reasons = [
    ...(bound === undefined ? [] : [`Stopped before everything was searched: ${bound}.`]),
    ...failuresIn(counts).map(([kind, count]) => withFiles(FAILURE_TEXTS[kind], count, [FAILURE_TEXTS[kind]])),
    ...(lenient === 0
      ? []
      : [withFiles('accepted in a nonstandard format', lenient, Object.values(LENIENT_FORM_TEXTS))]),
  ];
  return {
    status: bound === undefined ? 'completed' : 'warning',
    reason: reasons.length === 0 ? null : reasons.join('; '),
  };
}
