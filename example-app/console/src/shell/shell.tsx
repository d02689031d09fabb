import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Group,
  NavLink,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
  Button,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, type ReactNode } from "react";
import { Notices } from "../parts/notices/notices.js";
import { useSession, useSignOut } from "../session/use-session.js";
import { MoonIcon, SunIcon } from "../parts/icons.js";
import { Outage } from "./outage.js";
import { PAGES } from "./pages.js";
import { Skeletons } from "../parts/skeletons.js";
import { visible } from "../parts/visible.js";

/** The frame of the console: what one can visit, and who is signed in. */
export function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { org } = useSession();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "xl" }}
    >
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" />
            <Text fw={700} truncate className="foreign">
              {visible(org.name)}
            </Text>
            <Text size="sm" c="dimmed" visibleFrom="xs">
              {org.subdomain}
            </Text>
          </Group>
          <ColorScheme />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <AppShell.Section grow>
          <Navigation onVisit={close} />
        </AppShell.Section>
        <AppShell.Section>
          <SignedInAs />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Box maw={1180} mx="auto">
          <Suspense
            fallback={
              <>
                <VisuallyHidden role="status">Loading</VisuallyHidden>
                <Skeletons />
              </>
            }
          >
            <Notices>
              <Outage />
              <Outlet />
            </Notices>
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onVisit }: Readonly<{ onVisit: () => void }>) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return PAGES.map(({ to, label, icon: Icon }) => (
    <NavLink
      key={to}
      renderRoot={(props: object) => <Link to={to} onClick={onVisit} {...props} />}
      label={label}
      leftSection={<Icon />}
      active={isAt(path, to)}
      aria-current={isAt(path, to) ? "page" : undefined}
      mb={2}
    />
  ));
}

function isAt(path: string, page: string): boolean {
  return page === "/" ? path === "/" : path.startsWith(page);
}

function SignedInAs() {
  const { token } = useSession();
  const signOut = useSignOut();
  return (
    <Stack gap={6} px="xs">
      <Text size="xs" c="dimmed" className="foreign" lineClamp={2}>
        Signed in with the token {visible(token.name)}
      </Text>
      <Button variant="default" size="xs" onClick={() => void signOut()}>
        Sign out
      </Button>
    </Stack>
  );
}

function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const label = isDark ? "Use light colours" : "Use dark colours";
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => {
        setColorScheme(isDark ? "light" : "dark");
      }}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  );
}
