import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { User } from "../../api/types.js";
import { FieldConflict, isSame } from "../../parts/field-conflict.js";
import { Problem } from "../../parts/problem.js";
import { Waiting } from "../../parts/waiting.js";
import { userForm } from "../../texts/en/user-form.js";
import { labelOf } from "./profile-fields.js";
import { readUser, type Profile } from "./requests.js";

interface UserConflictProps {
  /** The user whom one began to change. */
  before: User;
  mine: Profile;
  /** How often somebody was faster. */
  round: number;
  isSaving: boolean;
  /** @param etag of the version that one has seen */
  onSave: (profile: Profile, etag: string | undefined) => void;
  onTakeTheirs: () => void;
}

/** Reads the user as somebody else has saved it, and shows it beside one's own version. */
export function UserConflict({ before, mine, round, isSaving, onSave, onTakeTheirs }: Readonly<UserConflictProps>) {
  const { data: theirs, error } = useQuery({
    queryKey: ["conflict", before.id, round],
    queryFn: ({ signal }) => readUser(before.id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error) return <Problem error={error} />;
  if (!theirs) return <Waiting what={userForm.readingTheirs} />;

  const { profile, status } = theirs.data;
  const fields = [...new Set([...Object.keys(profile), ...Object.keys(mine)])]
    .filter((name) => !isSame(profile[name], mine[name]))
    .map((name) => ({
      name,
      label: labelOf(name),
      before: before.profile[name],
      theirs: profile[name],
      mine: mine[name],
    }));
  return (
    <FieldConflict
      what={userForm.one}
      fields={fields}
      isSaving={isSaving}
      onSave={(values) => {
        const chosen = Object.entries({ ...profile, ...Object.fromEntries(values) });
        onSave(Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as Profile, theirs.etag);
      }}
      onTakeTheirs={onTakeTheirs}
    >
      {status !== before.status && <Text size="sm">{userForm.statusChangedTo({ before: before.status, status })}</Text>}
    </FieldConflict>
  );
}
