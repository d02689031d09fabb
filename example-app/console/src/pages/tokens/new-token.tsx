import { Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { helped } from "../../parts/help.js";
import { Panel } from "../../parts/panel.js";
import { faultsOf } from "../../parts/faults.js";
import { Refusal } from "../../parts/refusal.js";
import { ServerText } from "../../parts/server-text.js";
import { useSession } from "../../session/use-session.js";
import { tokenForm } from "../../texts/en/token-form.js";
import { LifetimeFields, toExpiry, USUAL } from "./lifetime.js";
import { createToken } from "./requests.js";
import { ScopeFields, toRights, toScopes } from "./scopes.js";
import { Secret } from "./secret.js";
import { useTokenWrite } from "./use-tokens.js";

/** The form of a new token, and then its secret. */
export function NewToken({ onClose }: Readonly<{ onClose: () => void }>) {
  const { namespace } = useSession();
  const [name, setName] = useState("");
  const [rights, setRights] = useState(() => toRights([]));
  const [lifetime, setLifetime] = useState(USUAL);
  const [addresses, setAddresses] = useState<string[]>([]);
  const [isTried, setTried] = useState(false);
  const scopes = toScopes(rights, namespace);
  const create = useTokenWrite(() => {
    const expiresAt = toExpiry(lifetime);
    return createToken({
      name,
      scopes,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(addresses.length > 0 && { addresses }),
    });
  });
  const faults = faultsOf(create.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (scopes.length > 0) create.mutate(undefined);
  };

  if (create.data) {
    return (
      <Panel title={tokenForm.newToken} onClose={onClose} isHeld>
        <Secret token={create.data} onDone={onClose} />
      </Panel>
    );
  }
  return (
    <Panel title={tokenForm.title} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            label={tokenForm.name}
            description={tokenForm.aboutName}
            placeholder={tokenForm.nameExample}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
            error={faults["name"]}
            maxLength={128}
            required
            autoComplete="off"
            data-autofocus
          />
          <ScopeFields
            rights={rights}
            onChange={setRights}
            fault={faults["scopes"] ?? (isTried && scopes.length === 0 ? tokenForm.chooseOne : undefined)}
          />
          <LifetimeFields lifetime={lifetime} onChange={setLifetime} fault={faults["expiresAt"]} />
          <TagsInput
            {...helped(tokenForm.addresses, "tokenAddresses")}
            description={tokenForm.aboutAddresses}
            placeholder={addresses.length === 0 ? tokenForm.everywhere : ""}
            value={addresses}
            onChange={setAddresses}
            error={findAddressFault(create.error)}
            splitChars={[",", " "]}
            maxTags={50}
          />
          <Text size="xs" c="dimmed">
            {tokenForm.madeBySession}
          </Text>
          <FormButtons
            action={tokenForm.create}
            isPending={create.isPending}
            onCancel={onClose}
            refusal={<Refusal writing={create} title={tokenForm.notCreated} isAtFields />}
          />
        </Stack>
      </form>
    </Panel>
  );
}

/** Finds what is wrong with one address, or with the list. */
function findAddressFault(error: Error | null): ReactNode {
  if (!(error instanceof ApiProblem)) return undefined;
  const cause = error.causes.find((text) => text.startsWith("addresses"));
  return cause !== undefined && <ServerText text={cause.replace(/^addresses(?:\[\d+\])?: /, "")} />;
}
