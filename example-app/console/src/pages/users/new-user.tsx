import { Stack, Switch } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { Help } from "../../parts/help.js";
import { Panel } from "../../parts/panel.js";
import { faultsOf } from "../../parts/faults.js";
import { Refusal } from "../../parts/refusal.js";
import { Restored } from "../../parts/unsaved.js";
import { forgetDraft, useDraft } from "../../parts/use-draft.js";
import { userForm } from "../../texts/en/user-form.js";
import { users } from "../../texts/en/users.js";
import { findFaults, fromDraft, NEW_USER, formOf } from "./draft.js";
import { ProfileFields } from "./profile-fields.js";
import { createUser } from "./requests.js";
import { useUserWrite } from "./use-users.js";

const FORM = formOf("new");

/** The form of a new user. Then the user is open. */
export function NewUser() {
  const navigate = useNavigate();
  const state = useDraft(FORM, () => ({ profile: NEW_USER, isActive: true }));
  const { profile: draft, isActive } = state.draft;
  const [isTried, setTried] = useState(false);
  const close = () => void navigate({ to: "/users" });
  const create = useUserWrite(async () => {
    const { id } = await createUser(fromDraft(draft), isActive);
    forgetDraft(FORM);
    await navigate({ to: "/users/$userId", params: { userId: id }, replace: true });
    return undefined; // the user is open
  });
  const faults = findFaults(draft);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (faults.size === 0) create.mutate(undefined);
  };

  return (
    <Panel title={users.create} form={FORM} onClose={close}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Restored state={state} />
          <ProfileFields
            draft={draft}
            onChange={(profile) => {
              state.change({ profile });
            }}
            faults={isTried ? faults : new Map()}
            causes={create.error instanceof ApiProblem ? create.error.causes : []}
            fieldFaults={faultsOf(create.error)}
          />
          <div className="helped">
            <Switch
              label={userForm.active}
              description={userForm.aboutActive}
              checked={isActive}
              onChange={(event) => {
                state.change({ isActive: event.currentTarget.checked });
              }}
            />
            <Help term="status" name={users.status} />
          </div>
          <FormButtons
            action={userForm.create}
            isPending={create.isPending}
            onCancel={close}
            refusal={<Refusal writing={create} title={userForm.notCreated} isAtFields />}
          />
        </Stack>
      </form>
    </Panel>
  );
}
