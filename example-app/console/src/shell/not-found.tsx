import { Anchor, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TabTitle } from "../parts/titles.js";
import { pages } from "../texts/en/pages.js";
import { shell } from "../texts/en/shell.js";

export function NotFound() {
  return (
    <TabTitle page={shell.notFound}>
      <Stack align="center" py="xl" gap="xs">
        <Title order={1} size="h3" ta="center" tabIndex={-1}>
          {shell.notFound}
        </Title>
        <Anchor renderRoot={(props: object) => <Link to="/" {...props} />}>{pages.tryLogin}</Anchor>
      </Stack>
    </TabTitle>
  );
}
