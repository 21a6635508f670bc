// The user that the server runs as. PostgreSQL does not run as root, so root starts it as a different user; all other
// users start it as themselves. Nothing here creates users.

import { readFileSync, statSync } from 'node:fs';

/**
 * `nobody` on all current Linux systems. Other daemons may share it, which is why root owns the directory above the
 * cluster.
 */
const UNPRIVILEGED_ID = 65534;

export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
  /** Whether this process is root and must switch users for the server. */
  readonly switched: boolean;
}

/** An existing cluster keeps its owner; a new one belongs to `nobody` if this process is root. */
export function chooseIdentity(clusterFolder: string): ServerIdentity {
  const uid = process.geteuid?.() ?? -1;
  const gid = process.getegid?.() ?? -1;
  if (uid !== 0) return { uid, gid, switched: false };
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, switched: true };
  return { ...unprivilegedUser(), switched: true };
}

/** initdb requires an entry in the user database (getpwuid), so users with an entry are preferred. */
function unprivilegedUser(): { uid: number; gid: number } {
  const entries = readPasswd();
  const user =
    entries.find((entry) => entry.uid === UNPRIVILEGED_ID) ??
    entries.find((entry) => entry.name === 'nobody' && entry.uid > 0);
  return user ?? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
}

function readPasswd(): { name: string; uid: number; gid: number }[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((entry) => Number.isInteger(entry.uid) && Number.isInteger(entry.gid));
}

/** Returns the `spawn` options to run a child as this identity; Node also clears the supplementary groups. */
export function spawnUser(identity: ServerIdentity): { uid?: number; gid?: number } {
  return identity.switched ? { uid: identity.uid, gid: identity.gid } : {};
}
