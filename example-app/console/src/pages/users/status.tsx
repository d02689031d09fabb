import { Badge } from "@mantine/core";

const COLORS: Readonly<Record<string, string>> = {
  STAGED: "blue",
  PROVISIONED: "blue",
  ACTIVE: "teal",
  RECOVERY: "yellow",
  PASSWORD_EXPIRED: "yellow",
  LOCKED_OUT: "red",
  SUSPENDED: "orange",
};

/** The status of a user, in the words of a filter. */
export function Status({ status }: Readonly<{ status: string }>) {
  return (
    <Badge variant="light" color={COLORS[status] ?? "gray"} tt="none">
      {status}
    </Badge>
  );
}
