import { Stack } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import type { User } from "../../api/types.js";
import { isSame } from "../../parts/field-conflict.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { faultsOf } from "../../parts/faults.js";
import { Refusal } from "../../parts/refusal.js";
import { userForm } from "../../texts/en/user-form.js";
import { findFaults, fromDraft, toDraft, formOf } from "./draft.js";
import { ProfileFields } from "./profile-fields.js";
import { UserConflict } from "./user-conflict.js";
import { replaceProfile, type Profile } from "./requests.js";
import { nameOf, useUserWrite } from "./use-users.js";
import { Restored } from "../../parts/unsaved.js";
import { forgetDraft, useDraft } from "../../parts/use-draft.js";

interface UserFormProps {
  /** As it was read last: an operation may have given the user another status meanwhile. */
  user: User;
  etag: string | undefined;
  isReadOnly: boolean;
  onClose: () => void;
  /** Somebody else has changed the user. */
  onConflict: () => void;
  onReload: () => void;
}

/** Edits a profile, and saves it only if nobody else has changed it since it was read first. */
export function UserForm({ user, etag, isReadOnly, onClose, onConflict, onReload }: Readonly<UserFormProps>) {
  const [first] = useState({ user, etag });
  const form = formOf(user.id);
  const state = useDraft(form, () => toDraft(user.profile));
  const { draft } = state;
  const [isTried, setTried] = useState(false);
  const [conflicts, setConflicts] = useState(0);
  const save = useUserWrite(async ({ profile, ifMatch }: { profile: Profile; ifMatch: string | undefined }) => {
    try {
      await replaceProfile(user.id, profile, ifMatch);
      forgetDraft(form);
      onClose();
      return { text: userForm.saved({ name: nameOf({ profile }) }) };
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 412) throw error;
      setConflicts((count) => count + 1);
      onConflict();
      return undefined;
    }
  });
  const faults = findFaults(draft);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    const isCurrent = isSame(user.profile, first.user.profile);
    if (faults.size === 0) save.mutate({ profile: fromDraft(draft), ifMatch: isCurrent ? etag : first.etag });
  };

  if (conflicts > 0) {
    return (
      <>
        <Refusal writing={save} title={userForm.notSaved} />
        <UserConflict
          key={conflicts}
          before={first.user}
          mine={fromDraft(draft)}
          round={conflicts}
          isSaving={save.isPending}
          onSave={(profile, ifMatch) => {
            save.mutate({ profile, ifMatch });
          }}
          onTakeTheirs={() => {
            forgetDraft(form);
            onReload();
          }}
        />
      </>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Restored state={state} />
        <ProfileFields
          draft={draft}
          onChange={state.change}
          faults={isTried ? faults : new Map()}
          causes={save.error instanceof ApiProblem ? save.error.causes : []}
          fieldFaults={faultsOf(save.error)}
          isReadOnly={isReadOnly}
        />
        {!isReadOnly && (
          <FormButtons
            action={userForm.save}
            isPending={save.isPending}
            onCancel={onClose}
            refusal={<Refusal writing={save} title={userForm.notSaved} isAtFields />}
          />
        )}
      </Stack>
    </form>
  );
}
