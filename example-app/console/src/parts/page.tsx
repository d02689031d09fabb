import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Help, type Term } from "./help.js";
import { TabTitle } from "./titles.js";

interface PageProps {
  title: string;
  help: Term;
  /** One sentence on what the page is for. */
  about: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every page. */
export function Page({ title, help, about, actions, children }: Readonly<PageProps>) {
  return (
    <TabTitle page={title}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <Box maw={640}>
            <div className="helped">
              <Title order={1} size="h2" tabIndex={-1}>
                {title}
              </Title>
              <Help term={help} name={title} />
            </div>
            <Text c="dimmed" mt={4}>
              {about}
            </Text>
          </Box>
          {actions}
        </Group>
        {children}
      </Stack>
    </TabTitle>
  );
}

/** What a page without records says to do first. */
export function Empty({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  return (
    <Stack align="center" py="xl" gap={4}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" size="sm" ta="center" maw={440} component="div">
        {children}
      </Text>
    </Stack>
  );
}

/** What stands where there is no page: the heading says so. */
export function NoPage({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  return (
    <TabTitle page={title}>
      <Stack align="center" py="xl" gap="xs">
        <Title order={1} size="h3" ta="center" tabIndex={-1}>
          {title}
        </Title>
        {children}
      </Stack>
    </TabTitle>
  );
}
