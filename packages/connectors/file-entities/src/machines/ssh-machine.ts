// Files on another machine over SFTP (version 3 with OpenSSH extensions), and commands over SSH.
import type { ConnectorContext } from '@signetry/connector-sdk';
import { rejected } from '@signetry/connector-sdk';
import type { ClientChannel, SFTPWrapper, Stats } from 'ssh2';
import {
  COMMAND_MS,
  MachineError,
  MAX_FILE_OCTETS,
  outcomeOf,
  rightsOf,
  type CommandResult,
  type FileRights,
  type Machine,
} from './machine.ts';
import { connect, nameOf, type SshConnection, type SshTarget } from './ssh-connection.ts';

export interface SshMachine extends Machine {
  readonly hostKey: string;
}

const CHUNK = 32_768;
/** SSH_FX_* status codes, draft-ietf-secsh-filexfer-02 §7. */
const STATUS = { noSuchFile: 2, permissionDenied: 3, failure: 4 } as const;

export async function openSsh(target: SshTarget, context: Pick<ConnectorContext, 'resolveHost'>): Promise<SshMachine> {
  const connection = await connect(target, context);
  const name = nameOf(target);
  const files = new RemoteFiles(connection, name);
  const execute = (command: string) => runCommand(connection, command);
  return {
    name,
    hostKey: connection.hostKey,
    locate: (path) => Promise.resolve(requireAbsolutePath(path)),
    read: (path) => files.read(path),
    rights: (path) => files.rights(path),
    write: (path, bytes, mode) => files.write(path, bytes, mode),
    setOwner: async (path, owner) => {
      const { succeeded, outcome } = await execute(`chown -h -- ${quoted(owner)} ${quoted(path)}`);
      if (!succeeded) throw new MachineError(`Cannot change the owner of ${path} to ${owner}: ${outcome}`);
    },
    link: (path, other) => files.attempt('keep', path, (sftp, done) => sftp.ext_openssh_hardlink(path, other, done)),
    rename: (from, to) => files.attempt('replace', to, (sftp, done) => sftp.ext_openssh_rename(from, to, done)),
    remove: (path) => files.remove(path),
    flushNames: () => Promise.resolve(), // SFTP does not support flushing names.
    run: execute,
    close: () => void connection.client.end(),
  };
}

function requireAbsolutePath(path: string): string {
  if (!path.startsWith('/') || path.split('/').includes('..'))
    throw rejected(`"${path}" must be an absolute path without "..".`);
  return path;
}

type Callback<T> = (error: Error | null | undefined, value: T) => void;

class RemoteFiles {
  private readonly connection: SshConnection;
  private readonly name: string;

  constructor(connection: SshConnection, name: string) {
    this.connection = connection;
    this.name = name;
  }

  /** Sends one request and translates protocol errors into messages. */
  async attempt<T>(what: string, path: string, request: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const onConnectionLost = (): void => reject(new Error('lost'));
    const { client, sftp, isLost } = this.connection;
    client.once('close', onConnectionLost);
    try {
      if (isLost()) onConnectionLost();
      else request(sftp, (error, value) => (error ? reject(error) : resolve(value)));
      return await promise;
    } catch (error) {
      throw this.problem(error, `Cannot ${what} ${path}`);
    } finally {
      client.removeListener('close', onConnectionLost);
    }
  }

  async rights(path: string): Promise<FileRights | undefined> {
    const stats = await this.stats(path);
    return stats && rightsOf(stats);
  }

  private stats(path: string): Promise<Stats | undefined> {
    return this.orAbsent(this.attempt<Stats>('read', path, (sftp, done) => sftp.lstat(path, done)));
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const stats = await this.stats(path);
    if (!stats) return undefined;
    if (stats.isSymbolicLink())
      throw new MachineError(`Cannot read ${path}: it is a symbolic link; specify its target`);
    if (!stats.isFile()) throw new MachineError(`${path} is not a regular file`);
    const handle = await this.attempt<Buffer>('read', path, (sftp, done) => sftp.open(path, 'r', done));
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for (;;) {
        const part = await this.readPart(path, handle, length);
        if (part.length === 0) return new Uint8Array(Buffer.concat(parts));
        parts.push(part);
        length += part.length;
        if (length > MAX_FILE_OCTETS) throw new MachineError(`${path} is larger than 1 MiB`);
      }
    } finally {
      await this.close(path, handle);
    }
  }

  private readPart(path: string, handle: Buffer, position: number): Promise<Buffer> {
    const buffer = Buffer.alloc(CHUNK);
    return this.attempt('read', path, (sftp, done) =>
      sftp.read(handle, buffer, 0, CHUNK, position, (error, count) => {
        const isEnd = error !== undefined && 'code' in error && error.code === 1; // SSH_FX_EOF
        done(isEnd ? undefined : error, buffer.subarray(0, isEnd ? 0 : count));
      }),
    );
  }

  async write(path: string, bytes: Uint8Array, mode: number): Promise<void> {
    const handle = await this.attempt<Buffer>('write', path, (sftp, done) => sftp.open(path, 'wx', mode, done));
    try {
      const data = Buffer.from(bytes);
      if (data.length > 0)
        await this.attempt('write', path, (sftp, done: Callback<void>) =>
          sftp.write(handle, data, 0, data.length, 0, (error) => done(error, undefined)),
        );
      // The server's umask must not apply.
      await this.attempt('write', path, (sftp, done: Callback<void>) =>
        sftp.fchmod(handle, mode, (error) => done(error, undefined)),
      );
      await this.attempt('flush', path, (sftp, done: Callback<unknown>) => sftp.ext_openssh_fsync(handle, done));
    } finally {
      await this.close(path, handle);
    }
  }

  async remove(path: string): Promise<void> {
    await this.orAbsent(
      this.attempt('remove', path, (sftp, done: Callback<void>) =>
        sftp.unlink(path, (error) => done(error, undefined)),
      ),
    );
  }

  /** Ignores errors: an earlier error is more relevant than a failure to close the handle of a lost connection. */
  private async close(path: string, handle: Buffer): Promise<void> {
    await this.attempt('close', path, (sftp, done: Callback<void>) =>
      sftp.close(handle, (error) => done(error, undefined)),
    ).catch(() => undefined);
  }

  private async orAbsent<T>(request: Promise<T>): Promise<T | undefined> {
    try {
      return await request;
    } catch (error) {
      if (error instanceof AbsentError) return undefined;
      throw error;
    }
  }

  private problem(error: unknown, what: string): MachineError {
    if (error instanceof MachineError) return error;
    if (this.connection.isLost() || (error instanceof Error && error.message === 'lost'))
      return new MachineError(`${what}: the connection to ${this.name} was lost`, { isLost: true });
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === STATUS.noSuchFile) return new AbsentError(`${what}: no such file or directory`);
    if (code === STATUS.permissionDenied) return new MachineError(`${what}: permission denied for the SSH user`);
    if (code === STATUS.failure)
      return new MachineError(
        `${what}: ${this.name} reported a failure without a reason; check whether its disk is full`,
      );
    return new MachineError(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

class AbsentError extends MachineError {}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function runCommand({ client, isLost }: SshConnection, command: string): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const fail = (outcome: string): void => resolve({ succeeded: false, outcome });
  const onConnectionLost = (): void => fail('the connection was lost');
  let channel: ClientChannel | undefined;
  const timer = setTimeout(() => fail(`it did not finish within ${COMMAND_MS / 1_000} s`), COMMAND_MS);
  client.once('close', onConnectionLost);
  if (isLost()) onConnectionLost();
  else
    client.exec(command, (error, stream) => {
      if (error) return fail(error.message);
      channel = stream;
      let output = '';
      const collect = (text: Buffer): void => {
        output = (output + text.toString('utf8')).slice(-MAX_FILE_OCTETS);
      };
      stream.on('data', collect);
      stream.stderr.on('data', collect);
      // `exit` is used instead of `close`, because a server started by the command may keep the pipes open.
      stream.on('exit', (code: number | null, signal?: string) => {
        setImmediate(() =>
          resolve({
            succeeded: code === 0,
            outcome: outcomeOf(code === null ? (signal ?? 'a signal') : `exit code ${code}`, output),
          }),
        );
      });
    });
  return promise.finally(() => {
    clearTimeout(timer);
    client.removeListener('close', onConnectionLost);
    channel?.destroy();
  });
}
