// For gatekeeper tests only: the area served directly and behind a trusted proxy, and ways to sign in.
import type { UserDetailDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import type { PermissionRow } from '../permissions/permission-rows.ts';
import { serve } from './http-fixture.ts';
import { identityFixture } from './identity-fixture.ts';
import { selfSigned } from './self-signed.ts';

export { selfSigned } from './self-signed.ts';

const PROXIES = ['127.0.0.1'];

export const listGroups = { resource: 'users', action: 'list' } as const;

export const withToken = ({ authorization }: { authorization: string }) => ({ headers: { authorization } });

/** Creates two nodes on one database, with `admin` as the first administrator. The caller closes them. */
export async function gatekeeperFixture() {
  const database = await testDatabase();
  const direct = await identityFixture(database);
  const proxied = await identityFixture(database, { trustedProxies: PROXIES });
  await direct.area.ensureFirstAdministrator('admin');
  const http = await serve(direct, { tls: await selfSigned('CN=server') });
  const behindProxy = await serve(proxied, { trustedProxies: PROXIES });
  let made = 0;

  async function userWith(
    rows: readonly PermissionRow[],
    fixture = direct,
    certificateUuid?: string,
  ): Promise<UserDetailDto> {
    const body = { username: `person-${++made}`, certificateUuid };
    const user = await fixture.call<UserDetailDto>('createUser', { body });
    const role = await fixture.roleWith(rows);
    return fixture.call('addRole', { params: { userUuid: user.uuid, roleUuid: role } });
  }

  async function tokenOf(
    username: string,
    expiresAt?: Date,
  ): Promise<{ authorization: string; uuid: string; token: string }> {
    const { token, row } = await direct.area.createAccessToken({
      username,
      name: 'test',
      ...(expiresAt ? { expiresAt } : {}),
    });
    return { authorization: `Bearer ${token.reveal()}`, uuid: row.uuid, token: token.reveal() };
  }

  async function linkPath(username = 'admin', fixture = direct): Promise<string> {
    return (await fixture.area.issueSignInLink(username)).path.reveal();
  }

  /** Signs in as a browser does and returns the cookie. */
  async function signIn(username = 'admin', fixture = direct, over = http): Promise<string> {
    const { headers } = await over.send(await linkPath(username, fixture), {
      method: 'POST',
      headers: { origin: over.origin },
    });
    const [cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
    return cookie;
  }

  const close = async (): Promise<void> => {
    await http.close();
    await behindProxy.close();
  };
  return { database, direct, proxied, http, behindProxy, userWith, tokenOf, linkPath, signIn, close };
}
