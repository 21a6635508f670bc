// The frame around every page: menu, search and account.
import { AppShell, Burger, Group, Menu, NavLink, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
  IconVocabulary,
} from '@tabler/icons-react';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { signOut, notifySignIn, useProfile } from '../api/session.ts';
import { Bell } from '../areas/notifications/bell.tsx';
import { OidNameHints } from '../areas/oids/oid-name-hints.tsx';
import { IdentifierNames } from '../ui/attributes/identifiers-in-text.tsx';
import { CommandPalette, loadPalette, openPalette } from './command-palette.tsx';
import { loadWhenIdle } from '../api/prefetch.ts';
import { paths } from '../kit/paths.ts';
import { isApple } from './is-apple.ts';
import { KeyHelp, openKeyHelp } from './key-help.tsx';
import { useMenu } from './use-menu.ts';
import classes from './shell.module.css';

export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  usePreloadedPages();
  useEffect(notifySignIn, []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      classNames={{ header: classes.header, navbar: classes.navbar, main: classes.main }}
    >
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className={classes.brand}>
              <img src="/console/icon.svg" alt="" width={26} height={26} />
              <span>Signetry</span>
            </Link>
          </Group>
          <UnstyledButton className={classes.search} onClick={openPalette}>
            <IconSearch size={15} aria-hidden="true" />
            <span>Search certificates or go to…</span>
            <kbd>{isApple ? '⌘' : 'Ctrl'} K</kbd>
          </UnstyledButton>
          <Group gap={4} wrap="nowrap">
            <Bell />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label="Main">
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <IdentifierNames value={OidNameHints}>
          <Outlet />
        </IdentifierNames>
      </AppShell.Main>
      <CommandPalette />
      <KeyHelp />
    </AppShell>
  );
}

/** Preloads the scripts of the pages in the menu. */
function usePreloadedPages(): void {
  const router = useRouter();
  const shownMenu = useMenu();
  useEffect(() => {
    const shown = shownMenu.flatMap((group) => group.pages).map(({ to }) => to);
    const routes = [...shown, paths.certificates.one('$uuid')].flatMap((path) => router.routesByPath[path] ?? []);
    loadWhenIdle([...routes.map((route) => () => router.loadRouteChunk(route)), loadPalette]);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: changed permissions apply from the next visit on
  }, []);
}

function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const { location } = useRouterState();
  return useMenu().map(({ title, pages }) => {
    return (
      <div key={title ?? 'start'} className={classes.group}>
        {title && (
          <Text size="xs" fw={600} c="dimmed" className={classes.groupTitle}>
            {title}
          </Text>
        )}
        {pages.map(({ to, label, icon: Icon, badge: Mark }) => {
          const isHere = to === '/' ? location.pathname === '/' : location.pathname.startsWith(to);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={17} stroke={1.7} aria-hidden="true" />}
              rightSection={Mark && <Mark />}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              className={classes.page}
              onClick={onNavigate}
            />
          );
        })}
      </div>
    );
  });
}

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'Same as system', icon: IconDeviceDesktop },
] as const;

function UserMenu() {
  const profile = useProfile();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.user} aria-label={`${profile.username}: account and appearance`}>
          <IconUser size={17} stroke={1.7} aria-hidden="true" />
          <Text size="sm" visibleFrom="sm">
            {profile.username}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Signed in as {profile.username}</Menu.Label>
        <Menu.Item leftSection={<IconUser size={15} />} component={Link} to={paths.profile}>
          Your profile
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={15} />} rightSection="?" onClick={openKeyHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconVocabulary size={15} />} component={Link} to={paths.glossary}>
          Glossary
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} />}
            rightSection={colorScheme === value ? '✓' : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
