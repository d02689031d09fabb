import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Empty } from "../parts/page.js";

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <Anchor renderRoot={(props: object) => <Link to="/" {...props} />}>Try a login</Anchor>
    </Empty>
  );
}
