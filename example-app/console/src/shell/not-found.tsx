import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { NoPage } from "../parts/page.js";
import { pages } from "../texts/en/pages.js";
import { shell } from "../texts/en/shell.js";

export function NotFound() {
  return (
    <NoPage title={shell.notFound}>
      <Anchor renderRoot={(props: object) => <Link to="/" {...props} />}>{pages.tryLogin}</Anchor>
    </NoPage>
  );
}
