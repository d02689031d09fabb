import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { visible } from "../visible.js";
import type { RecordPath } from "./kind.js";

interface RecordLinkProps extends AnchorProps {
  page: RecordPath;
  id: string;
  name: string;
  /** The name with something marked in it. */
  children?: ReactNode;
}

/** The name of a record, which leads to it. */
export function RecordLink({ page, id, name, children = visible(name), ...props }: Readonly<RecordLinkProps>) {
  return (
    <Anchor
      inherit
      c="bright"
      className="foreign"
      {...props}
      renderRoot={(root: object) => <Link to={`${page}/$id`} params={{ id }} {...root} />}
    >
      {children}
    </Anchor>
  );
}
